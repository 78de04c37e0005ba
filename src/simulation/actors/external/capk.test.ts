import { describe, expect, it } from 'vitest';
import { aVm } from '../../../kubevirt/builders.ts';
import { aKubevirtMachine, aWorker } from '../../../kubevirt/cluster-api/builders.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import type { KubevirtMachine } from '../../../kubevirt/objects.ts';
import { World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { type CapkOptions, capk } from './capk.ts';

const VMI = 'VirtualMachineInstance';
const GRACE = 'capk.cluster.x-k8s.io/vmi-deletion-grace-time';
const SUBMITTED = 'capk.cluster.x-k8s.io/migration-submitted';
const CORDONED = 'capk.cluster.x-k8s.io/node-cordoned';

const healthy = (migratable: 'True' | 'False') =>
  aWorker(migratable)
    .condition('Ready', 'True')
    .status({ interfaces: [{ ipAddress: '10.0.0.1' }] });
const unmarked = (migratable: 'True' | 'False') => healthy(migratable).status({ evacuationNodeName: '' });

async function begin(objects: readonly object[], options: Partial<CapkOptions> = {}) {
  const world = new World(...objects);
  const context = actorContext(world);
  const actor = capk(context, { build: 'capk-v0.1.10', behavior: 'exact', ...options });
  actor.start();
  await world.clock.settle();
  const machine = () => world.api.get('KubevirtMachine', 'shop/w1');
  const annotations = () => objectAt(machine()?.metadata ?? {}, 'annotations');
  const mark = () => world.patch(VMI, 'shop/w1', '/status/evacuationNodeName', 'n1');
  return { world, context, actor, machine, annotations, mark };
}

const vm = () => aVm('w1').build();

describe('v0.1.10', () => {
  it('sees a mark at the next resync, and deletes the VMI without a drain, though it could migrate', async () => {
    const { world, mark, machine } = await begin([aKubevirtMachine(), vm(), unmarked('True').build()]);
    await world.clock.advance(10);
    mark();
    await world.clock.advance(49);
    expect(world.wrote('delete')).toEqual([]);
    await world.clock.advance(1);
    expect(world.wrote('delete')).toEqual(['shop/w1@60']);
    expect(machine()?.status).not.toHaveProperty('failureReason');
  });

  it('gives a machine up whose VMI is marked and cannot migrate', async () => {
    const { machine } = await begin([aKubevirtMachine(), vm(), healthy('False').build()]);
    expect(machine()?.status).toMatchObject({
      failureReason: 'UpdateError',
      failureMessage: "The Machine's VM pod is marked for eviction due to infra node drain.",
    });
  });

  it('waits for a VMI that is not ready, and looks every twenty seconds', async () => {
    const { world, machine } = await begin([aKubevirtMachine(), vm(), aWorker('True').build()]);
    await world.clock.advance(35);
    expect(world.wrote('delete')).toEqual([]);
    world.put(healthy('True').build());
    await world.clock.advance(5);
    expect(world.wrote('delete')).toEqual(['shop/w1@40']);
    expect(machine()?.status).toEqual({ ready: false });
  });

  it('says whether the VMI is of use', async () => {
    const { world, machine } = await begin([aKubevirtMachine(), vm(), unmarked('True').build()]);
    expect(machine()?.status).toEqual({ ready: true });
    world.put(aWorker('True').build());
    await world.clock.advance(60);
    expect(machine()?.status).toEqual({ ready: false });
  });

  it('tries to drain what its guest cluster knows by that name, for ten minutes', async () => {
    const drained: string[] = [];
    const guests = {
      drain: (_: KubevirtMachine, node: string) => {
        drained.push(node);
        return 'not-drained' as const;
      },
    };
    const { world, annotations } = await begin([aKubevirtMachine(), vm(), healthy('True').build()], {
      guests,
    });
    expect(annotations()).toEqual({ [GRACE]: '2026-03-01T12:10:00Z' });
    await world.clock.advance(600);
    expect(world.wrote('delete')).toEqual([]);
    await world.clock.advance(21);
    expect(world.wrote('delete')).toHaveLength(1);
    expect(new Set(drained)).toContain('n1');
    expect(annotations()).toEqual({});
  });

  it('makes the VM of a machine that has none', async () => {
    const spec = {
      virtualMachineTemplate: { metadata: { labels: { a: 'b' } }, spec: { runStrategy: 'Always' } },
    };
    const { world } = await begin([{ ...aKubevirtMachine(), spec }]);
    expect(world.api.get('VirtualMachine', 'shop/w1')).toMatchObject({
      metadata: { name: 'w1', namespace: 'shop', labels: { a: 'b' } },
      spec: { runStrategy: 'Always' },
    });
  });

  it('makes no VM without a template, and none for a machine that is given up', async () => {
    const { world } = await begin([aKubevirtMachine()]);
    expect(world.wrote('create')).toEqual([]);
  });

  it('takes the VM along when the machine goes', async () => {
    const finalizers = ['kubevirtmachine.infrastructure.cluster.x-k8s.io'];
    const held = aKubevirtMachine();
    const { world, machine } = await begin([
      { ...held, metadata: { ...held.metadata, finalizers } },
      vm(),
      unmarked('True').build(),
    ]);
    world.api.delete('KubevirtMachine', 'shop/w1');
    await world.clock.settle();
    expect(world.api.get('VirtualMachine', 'shop/w1')).toBeUndefined();
    expect(machine()).toBeUndefined();
  });

  it('takes the VM along of a machine that nothing held', async () => {
    const { world } = await begin([aKubevirtMachine(), vm(), unmarked('True').build()]);
    world.api.delete('KubevirtMachine', 'shop/w1');
    await world.clock.settle();
    expect(world.api.get('VirtualMachine', 'shop/w1')).toBeUndefined();
  });
});

describe('the backport', () => {
  const backport = { build: 'capk-backport' } as const;

  it('migrates a VMI that can, and waits for it', async () => {
    const objects = [aKubevirtMachine(), vm(), healthy('True').build()];
    const { world, annotations } = await begin(objects, backport);
    expect(world.migrations().map(({ vmi }) => vmi)).toEqual(['w1']);
    expect(world.migrations()[0]?.name).toMatch(/^w1-migration-/);
    expect(annotations()).toEqual({ [SUBMITTED]: '2026-03-01T12:10:00Z' });
    await world.clock.advance(30);
    expect(world.migrations()).toHaveLength(1);
    world.patch(VMI, 'shop/w1', '/status/evacuationNodeName', '');
    await world.clock.advance(30);
    expect(annotations()).toEqual({});
    expect(world.wrote('delete')).toEqual([]);
  });

  it('gives a migration up that is refused, drains the guest and deletes the VMI', async () => {
    const refuses = (world: World) =>
      actorContext(world, {
        faultOf: ({ verb }) =>
          verb === 'create' ? { answer: { ok: false, code: 422, message: 'no' } } : undefined,
      });
    const world = new World(aKubevirtMachine(), vm(), healthy('True').build());
    capk(refuses(world), { ...backport, behavior: 'exact' }).start();
    await world.clock.settle();
    expect(world.wrote('delete')).toEqual(['shop/w1@0']);
    expect(world.api.get('KubevirtMachine', 'shop/w1')?.metadata.annotations).toEqual({
      [SUBMITTED]: 'draining',
      [CORDONED]: 'true',
    });
  });

  it('gives the guest its node back, once the VMI is there again', async () => {
    const uncordoned: string[] = [];
    const guests = {
      drain: () => 'drained' as const,
      uncordon: (_: KubevirtMachine, node: string) => void uncordoned.push(node),
    };
    const objects = [aKubevirtMachine(), vm(), healthy('False').build()];
    const { world, annotations } = await begin(objects, { ...backport, guests });
    expect(world.api.get(VMI, 'shop/w1')).toBeUndefined();
    expect(annotations()).toEqual({ [CORDONED]: 'true' });
    world.put(unmarked('False').meta({ uid: 'again' }).build());
    await world.clock.advance(60);
    expect(uncordoned).toEqual(['w1']);
    expect(annotations()).toEqual({});
  });
});
