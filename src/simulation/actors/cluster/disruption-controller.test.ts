import { expect, it } from 'vitest';
import { aBudget, aPod } from '../../../kubevirt/builders.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import { told, World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { disruptionController } from './disruption-controller.ts';

const pod = (name: string) => aPod(name).labelled('pdb', 'p8').on('n1');
const p8 = () => aBudget('p8').selecting('pdb', 'p8').spec({ minAvailable: 1 });

async function begin(...objects: readonly object[]) {
  const world = new World(...objects);
  const context = actorContext(world);
  const actor = disruptionController(context);
  actor.start();
  await world.clock.settle();
  const numbers = () => {
    const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = objectAt(
      world.api.get('PodDisruptionBudget', 'shop/p8') ?? {},
      'status',
    );
    return [disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods];
  };
  const evict = (name: string) =>
    context.cluster.evict({ namespace: 'shop', pod: name, body: { metadata: { name } } });
  return { world, context, actor, numbers, evict };
}

it('counts as recorded while the pod of a new VM starts', async () => {
  const { world, numbers } = await begin(p8().build());
  expect(numbers()).toEqual([0, 0, 1, 0]);
  world.put(pod('a').phase('Pending').condition('Ready', 'False').build());
  await world.clock.settle();
  expect(numbers()).toEqual([0, 0, 1, 1]);
  world.put(pod('a').ready().build());
  await world.clock.settle();
  expect(numbers()).toEqual([0, 1, 1, 1]);
  world.put(pod('b').ready().build());
  await world.clock.settle();
  expect(numbers()).toEqual([1, 2, 1, 2]);
});

it('lets one eviction through, refuses the next, and counts anew', async () => {
  const { world, numbers, evict } = await begin(
    p8().build(),
    pod('a').ready().build(),
    pod('b').ready().build(),
  );
  const answers = await Promise.all([evict('a'), evict('b')]);
  expect(answers).toMatchObject([{ ok: true }, { ok: false, code: 429 }]);
  await world.clock.settle();
  expect(numbers()).toEqual([0, 1, 1, 2]);
  world.api.delete('Pod', 'shop/a', { graceSeconds: 0 });
  await world.clock.settle();
  expect(numbers()).toEqual([0, 1, 1, 1]);
  const { disruptedPods } = objectAt(world.api.get('PodDisruptionBudget', 'shop/p8') ?? {}, 'status');
  expect(disruptedPods).toBeUndefined();
});

it('gives a pod up that was evicted and stays', async () => {
  const status = { disruptedPods: { a: '2026-03-01T12:00:00Z' }, disruptionsAllowed: 0 };
  const { world, context, numbers } = await begin(p8().status(status).build(), pod('a').ready().build());
  expect(numbers()).toEqual([0, 0, 1, 1]);
  await world.clock.advance(121);
  expect(numbers()).toEqual([0, 1, 1, 1]);
  expect(told(context.cluster)).toEqual([
    "NotDeleted a: Pod was expected by PDB shop/shop to be deleted but it wasn't",
  ]);
  expect(context.cluster.events[0]?.component).toBe('controllermanager');
});

it('says that VMIs have no scale', async () => {
  const percent = aBudget('p8').selecting('pdb', 'p8').spec({ maxUnavailable: '50%' });
  const launcher = pod('a').ownedBy('VirtualMachineInstance', 'db').ready();
  const { context, numbers } = await begin(percent.build(), launcher.build());
  expect(numbers()[0]).toBe(0);
  expect(new Set(told(context.cluster))).toEqual(
    new Set([
      'CalculateExpectedPodCountFailed p8: Failed to calculate the number of expected pods: virtualmachineinstances.kubevirt.io does not implement the scale subresource',
    ]),
  );
});

it('counts by the new spec', async () => {
  const { world, numbers } = await begin(p8().build(), pod('a').ready().build());
  world.patch('PodDisruptionBudget', 'shop/p8', '/spec/minAvailable', 0);
  await world.clock.settle();
  expect(numbers()).toEqual([1, 1, 0, 1]);
  world.patch('PodDisruptionBudget', 'shop/p8', '/spec/selector/matchLabels', { other: 'x' });
  await world.clock.settle();
  expect(numbers()).toEqual([0, 0, 0, 0]);
});

it('writes only what has changed', async () => {
  const { world, context } = await begin(p8().build(), pod('a').ready().build());
  const before = world.writes.length;
  world.patch('Pod', 'shop/a', '/metadata/annotations', { 'kubevirt.io/domain': 'x' });
  await world.clock.settle();
  world.api.delete('PodDisruptionBudget', 'shop/p8');
  world.patch('Pod', 'shop/a', '/metadata/labels', { other: 'x' });
  await world.clock.settle();
  expect(world.writes.length).toBe(before);
  expect(context.cluster.events).toEqual([]);
});

it('begins with nothing, as recorded, and counts then', async () => {
  const { world, context } = await begin(pod('a').ready().build());
  const seen: unknown[] = [];
  context.cluster.subscribe(({ kind, after }) => {
    if (kind !== 'PodDisruptionBudget') return;
    const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = objectAt(
      { ...after },
      'status',
    );
    seen.push([disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods]);
  });
  await context.cluster.create('PodDisruptionBudget', 'shop', p8().build());
  await world.clock.settle();
  expect(seen).toEqual([
    [0, 0, 0, 0],
    [0, 1, 1, 1],
  ]);
});
