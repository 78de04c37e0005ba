import { expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { told, World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { type SchedulerOptions, scheduler } from './scheduler.ts';

const HOSTNAME = 'kubernetes.io/hostname';

const node = (name: string) => aNode(name).offering({ cpu: '4', memory: '8Gi', pods: '10' });
const pending = (name: string) => aPod(name).phase('Pending').asking({ cpu: '1', memory: '1Gi' });

async function begin(objects: readonly object[], options: SchedulerOptions = {}) {
  const world = new World(...objects);
  const context = actorContext(world);
  const actor = scheduler(context, options);
  actor.start();
  await world.clock.settle();
  const nodeOf = (name: string) => objectAt(world.api.get('Pod', `shop/${name}`) ?? {}, 'spec').nodeName;
  const statusOf = (name: string) => objectAt(world.api.get('Pod', `shop/${name}`) ?? {}, 'status');
  return { world, context, actor, nodeOf, statusOf };
}

it('binds a pod that is there and one that comes', async () => {
  const { world, context, nodeOf, statusOf } = await begin([node('n1').build(), pending('a').build()]);
  world.put(pending('b').build());
  await world.clock.settle();
  expect([nodeOf('a'), nodeOf('b')]).toEqual(['n1', 'n1']);
  expect(statusOf('a')).toEqual({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-03-01T12:00:00Z' }],
  });
  expect(told(context.cluster)).toEqual([
    'Scheduled a: Successfully assigned shop/a to n1',
    'Scheduled b: Successfully assigned shop/b to n1',
  ]);
  expect(context.cluster.events[0]).toMatchObject({
    kind: 'Pod',
    namespace: 'shop',
    type: 'Normal',
    component: 'default-scheduler',
  });
});

it('spreads over nodes, also those of the same moment', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { nodeOf } = await begin([
    ...['n1', 'n2', 'n3'].map((name) => node(name).build()),
    ...names.map((name) => pending(name).build()),
  ]);
  expect(names.map(nodeOf).sort()).toEqual(['n1', 'n1', 'n2', 'n2', 'n3', 'n3']);
});

it('prefers what the pod prefers to an emptier node', async () => {
  const preference = { matchExpressions: [{ key: HOSTNAME, operator: 'In', values: ['n2'] }] };
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
  const busy = pending('busy').phase('Running').on('n2').build();
  const pod = pending('a').spec({ affinity: { nodeAffinity } }).build();
  const { nodeOf } = await begin([node('n1').build(), node('n2').build(), busy, pod]);
  expect(nodeOf('a')).toBe('n2');
});

it.each([
  ['a preferred node that is full', [{ key: HOSTNAME, operator: 'In', values: ['n2'] }], 'n1'],
  ['no node at all', [{ key: HOSTNAME, operator: 'In', values: ['n9'] }], 'n1'],
  ['nodes by another label', [{ key: 'disk', operator: 'Exists' }], 'n3'],
  [
    'nodes by two labels',
    [
      { key: HOSTNAME, operator: 'Exists' },
      { key: 'disk', operator: 'Exists' },
    ],
    'n3',
  ],
])('goes on to others where a pod prefers %s', async (_, matchExpressions, expected) => {
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions } }],
  };
  const full = pending('full').phase('Running').asking({ cpu: '3' }).on('n2').build();
  const half = pending('half').phase('Running').on('n3').build();
  const nodes = [node('n1').build(), node('n2').build(), node('n3').labelled('disk', 'fast').build()];
  const pod = pending('a').spec({ affinity: { nodeAffinity } }).build();
  const { nodeOf } = await begin([...nodes, full, half, pod]);
  expect(nodeOf('a')).toBe(expected);
});

it('takes the node that it is told, and is shown those that fit, the best first', async () => {
  const shown: string[][] = [];
  const choose = (_: Pod, nodes: readonly string[]) => {
    shown.push([...nodes]);
    return 'n2';
  };
  const busy = pending('busy').phase('Running').on('n2').build();
  const nodes = [node('n1').build(), node('n2').build(), node('n3').cordoned().build()];
  const { nodeOf } = await begin([...nodes, busy, pending('a').build()], { choose });
  expect(shown).toEqual([['n1', 'n2']]);
  expect(nodeOf('a')).toBe('n2');
});

it('chooses itself where it is told nothing', async () => {
  const busy = pending('busy').phase('Running').on('n2').build();
  const objects = [node('n1').build(), node('n2').build(), busy, pending('a').build()];
  const { nodeOf } = await begin(objects, { choose: () => undefined });
  expect(nodeOf('a')).toBe('n1');
});

const PINNED = (name: string) => pending(name).spec({ nodeSelector: { [HOSTNAME]: 'n1' } });
const FOUR = ['n1', 'n2', 'n3', 'n4'];

it('says why a pod fits nowhere, as recorded, and tries again when a node is uncordoned', async () => {
  const nodes = FOUR.map((name) => (name === 'n1' ? node(name).cordoned() : node(name)).build());
  const { world, context, nodeOf, statusOf } = await begin([...nodes, PINNED('a').build()]);
  const message =
    "0/4 nodes are available: 1 node(s) were unschedulable, 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
  expect(told(context.cluster)).toEqual([`FailedScheduling a: ${message}`]);
  expect(statusOf('a').conditions).toEqual([
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: '2026-03-01T12:00:00Z',
    },
  ]);
  await world.clock.advance(600);
  expect(context.cluster.events).toHaveLength(1);
  world.put(node('n1').build());
  await world.clock.settle();
  expect(nodeOf('a')).toBe('n1');
});

it('keeps a migration target off its source', async () => {
  const vmi = aVmi('db').on('n1').build();
  const source = aPod('source').on('n1').launcherOf(vmi).build();
  const labelSelector = { matchLabels: { 'kubevirt.io/created-by': 'uid-db' } };
  const target = aPod('target')
    .phase('Pending')
    .targetOf(vmi, aMigration().build())
    .spec({
      nodeSelector: { [HOSTNAME]: 'n1' },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME }],
        },
      },
    })
    .build();
  const nodes = FOUR.map((name) => node(name).build());
  const { world, context, nodeOf } = await begin([...nodes, source, target]);
  expect(told(context.cluster)).toEqual([
    "FailedScheduling target: 0/4 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/4 nodes are available: 1 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.",
  ]);
  world.patch('Pod', 'shop/source', '/status/phase', 'Succeeded');
  await world.clock.advance(1);
  expect(nodeOf('target')).toBe('n1');
});

it('waits out its back-off before it tries again', async () => {
  const full = pending('full').phase('Running').asking({ cpu: '3' }).on('n1').build();
  const { world, nodeOf } = await begin([node('n1').build(), full, pending('a').build()]);
  world.api.delete('Pod', 'shop/full', { graceSeconds: 0 });
  await world.clock.advance(0.9);
  expect(nodeOf('a')).toBeUndefined();
  await world.clock.advance(0.1);
  expect(nodeOf('a')).toBe('n1');
});

it('tries again when room is made where it may help, and not elsewhere', async () => {
  const full = (name: string, on: string) =>
    pending(name).phase('Running').asking({ cpu: '3' }).on(on).build();
  const nodes = [node('n1').build(), node('n2').cordoned().build()];
  const objects = [...nodes, full('x', 'n1'), full('y', 'n2'), pending('a').build()];
  const { world, context, nodeOf } = await begin(objects);
  await world.clock.advance(30);
  world.api.delete('Pod', 'shop/y', { graceSeconds: 0 });
  await world.clock.advance(30);
  expect(context.cluster.events).toHaveLength(1);
  world.api.delete('Pod', 'shop/x', { graceSeconds: 0 });
  await world.clock.settle();
  expect(nodeOf('a')).toBe('n1');
});

it('follows the company that a pod asks for', async () => {
  const labelSelector = { matchLabels: { app: 'web' } };
  const podAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME }],
  };
  const { world, nodeOf } = await begin([
    node('n1').build(),
    node('n2').build(),
    pending('a').spec({ affinity: { podAffinity } }).build(),
  ]);
  await world.clock.advance(5);
  expect(nodeOf('a')).toBeUndefined();
  world.put(aPod('web').labelled('app', 'web').on('n2').build());
  await world.clock.settle();
  expect(nodeOf('a')).toBe('n2');
});

it('leaves alone what is on its way out, has ended or has a node', async () => {
  const { context } = await begin([
    node('n1').build(),
    pending('a').deleting().build(),
    pending('b').phase('Failed').build(),
    pending('c').on('n9').build(),
  ]);
  expect(context.cluster.events).toEqual([]);
});

it('gives the seat back where the binding is refused', async () => {
  const world = new World(node('n1').offering({ cpu: '1', memory: '8Gi', pods: '10' }).build());
  let refuses = true;
  const context = actorContext(world, {
    faultOf: ({ verb }) =>
      refuses && verb === 'modify' ? { answer: { ok: false, code: 500, message: 'broken' } } : undefined,
  });
  scheduler(context).start();
  world.put(pending('a').build());
  await world.clock.settle();
  expect(context.cluster.events).toEqual([]);
  refuses = false;
  await world.clock.advance(1);
  expect(told(context.cluster)).toEqual(['Scheduled a: Successfully assigned shop/a to n1']);
});

it('gives the next seat while a binding is under way, and none twice', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${10 + index}`);
  const world = new World(...['n1', 'n2', 'n3'].map((name) => node(name).build()));
  for (const name of names) world.put(pending(name).build());
  const context = actorContext(world, { latencySeconds: () => 1, lagSeconds: () => 5 });
  scheduler(context).start();
  await world.clock.advance(1);
  const nodes = names.map((name) => objectAt(world.api.get('Pod', `shop/${name}`) ?? {}, 'spec').nodeName);
  expect(nodes.sort()).toEqual(['n1', 'n2', 'n3'].flatMap((name) => [name, name, name, name]));
});

it('writes nothing more once it is stopped', async () => {
  const { world, actor, nodeOf } = await begin([node('n1').build()]);
  await actor.stop();
  world.put(pending('a').build());
  await world.clock.advance(60);
  expect(nodeOf('a')).toBeUndefined();
});
