import { describe, expect, it } from 'vitest';
import { aKubeVirt, aNode, aPod } from '../kubevirt/builders.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { anOldVmi, MIGRATION, startUpdater, told, World } from '../simulation/test-world.ts';
import { DeedsInHand } from './in-hand.ts';

const [a, b] = ['a', 'b'].map((name) => anOldVmi(name).migratable().marked('n1').build()) as [Vmi, Vmi];
const node = (name: string) =>
  aNode(name).labelled('kubevirt.io/schedulable', 'true').offering({ memory: '64Gi', cpu: '8', pods: '50' });
const podOf = (vmi: Vmi, on: string, number = 1) =>
  aPod(`virt-launcher-${vmi.metadata.name}-${number}`)
    .on(on)
    .launcherOf(vmi)
    .asking({ memory: '1Gi', cpu: '5' })
    .build();

/** Two VMIs that each fit n2, and do not both. */
const aTightWorld = (...methods: string[]) =>
  new World(
    aKubeVirt()
      .methods(...methods)
      .build(),
    node('n1').offering({ memory: '64Gi', cpu: '16', pods: '50' }).build(),
    node('n2').build(),
    ...[a, b].flatMap((vmi) => [vmi, podOf(vmi, 'n1')]),
  );

describe('two VMIs that both fit the last place', () => {
  it('are not both evacuated', async () => {
    const world = aTightWorld();
    const cluster = world.connect();
    world.evacuator(cluster).start();
    await world.clock.advance(120);
    expect(world.migrations()).toMatchObject([{ vmi: 'a' }]);
    expect(told(cluster)).toContain(
      'FailedCreate b: Error creating a Migration: no other node has room for it now: InsufficientResources (n2), SourceNode (n1)',
    );
  });

  it('are not both updated', async () => {
    const world = aTightWorld('LiveMigrate');
    startUpdater(world);
    await world.clock.advance(120);
    expect(world.migrations()).toHaveLength(1);
  });

  it('do not get it from two controllers, even while nobody has seen what was sent', async () => {
    const world = aTightWorld('LiveMigrate');
    const inHand = new DeedsInHand(world.clock);
    const { cluster } = startUpdater(world, { inHand });
    cluster.hold();
    world.evacuator(cluster, { inHand }).start();
    await world.clock.advance(120);
    expect(world.migrations()).toHaveLength(1);
  });

  it('both go once another node comes', async () => {
    const world = aTightWorld();
    world.evacuator(world.connect()).start();
    await world.clock.advance(60);
    world.put(node('n3').build());
    await world.clock.advance(10);
    expect(world.migrations()).toHaveLength(2);
  });

  it('both go where the target of one has its node and leaves another free', async () => {
    const world = aTightWorld();
    world.put(node('n3').build());
    world.evacuator(world.connect()).start();
    await world.clock.advance(5);
    expect(world.migrations()).toHaveLength(2);
  });

  it('one after the other, as soon as the place is free again', async () => {
    const world = aTightWorld();
    world.evacuator(world.connect()).start();
    await world.clock.advance(20);
    const [first] = world.migrations();
    world.put(podOf(a, 'n2', 2));
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Failed' });
    world.patch('Pod', 'shop/virt-launcher-a-2', '/status/phase', 'Failed');
    world.api.delete('VirtualMachineInstance', 'shop/a');
    await world.clock.advance(16);
    expect(world.migrations().map(({ vmi }) => vmi)).toContain('b');
  });

  it('one after the other, as soon as the migration of the first is given up', async () => {
    const world = aTightWorld();
    world.evacuator(world.connect()).start();
    await world.clock.advance(400);
    const [first] = world.migrations();
    world.api.delete('VirtualMachineInstance', 'shop/a');
    world.api.delete(MIGRATION, `shop/${first?.name}`);
    await world.clock.advance(16);
    expect(world.migrations()).toMatchObject([{ vmi: 'b' }]);
  });

  it('both get their migrations, exactly as KubeVirt makes them', async () => {
    const world = aTightWorld();
    world.evacuator(world.connect(), { behavior: 'exact' }).start();
    await world.clock.advance(5);
    expect(world.migrations()).toHaveLength(2);
  });
});

describe('a VMI for which there is no room', () => {
  const CONTROLLERS = ['evacuation', 'workload-update'] as const;
  const passes = (world: World, controller: string) =>
    world.records.metric('drover_reconciles_total', `controller=${controller},result=success`) ?? 0;

  /** Its only target is full of another VM, which nobody moves. */
  async function waiting(controller: (typeof CONTROLLERS)[number]): Promise<World> {
    const other = anOldVmi('other', 'n2').migratable('False').build();
    const kubevirt = aKubeVirt().methods('LiveMigrate').build();
    const n1 = node('n1').offering({ memory: '64Gi', cpu: '16', pods: '50' });
    const pods = [podOf(a, 'n1'), podOf(other, 'n2')];
    const world = new World(kubevirt, n1.build(), node('n2').build(), a, other, ...pods);
    if (controller === 'evacuation') world.evacuator(world.connect()).start();
    else startUpdater(world);
    await world.clock.advance(700);
    expect(world.migrations()).toEqual([]);
    return world;
  }

  it.each(CONTROLLERS)('goes when a pod leaves it some: %s', async (controller) => {
    const world = await waiting(controller);
    world.api.delete('Pod', 'shop/virt-launcher-other-1', { graceSeconds: 0 });
    await world.clock.advance(16);
    expect(world.migrations()).toMatchObject([{ vmi: 'a' }]);
  });

  it.each(CONTROLLERS)('causes few passes where pods come and go: %s', async (controller) => {
    const world = await waiting(controller);
    const before = passes(world, controller);
    for (let second = 0; second < 60; second++) {
      world.put(aPod('job').on('n2').build());
      await world.clock.advance(0.5);
      world.api.delete('Pod', 'shop/job', { graceSeconds: 0 });
      await world.clock.advance(0.5);
    }
    expect(world.migrations()).toEqual([]);
    expect(passes(world, controller) - before).toBeLessThanOrEqual(8);
  });
});
