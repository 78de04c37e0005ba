import { describe, expect, it } from 'vitest';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { seededRandom } from '../../seeded-random.ts';
import { migrationController } from './migration-controller.ts';
import { aMigrationWorld, aMovable, anOrder, sourceOf } from './test-nodes.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

describe('what finished migrations leave behind', () => {
  it('is cleared away when there are more than five of them', async () => {
    const world = aMigrationWorld([aMovable().build()]);
    for (const n of [1, 2, 3, 4, 5, 6]) {
      world.ask(anOrder(`m${n}`).createdAt(world.now()).build());
      await world.seconds();
      world.startPod(world.podOf(`m${n}`), n % 2 === 1 ? 'n2' : 'n1');
      await world.seconds();
      const source = world.cluster.fleet.launcherPodOf(world.vmi());
      await world.copy();
      await world.handOver();
      world.changePod(source, { phase: 'Succeeded' });
      await world.seconds(1);
    }
    const left = [...world.cluster.fleet.all(MIGRATION)].map(({ metadata }) => metadata.name).sort();
    expect(left).toEqual(['m2', 'm3', 'm4', 'm5', 'm6']);
    expect(world.api.get('Pod', 'shop/virt-launcher-db-old')).toBeUndefined();
    expect(world.started()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });
});

describe('a controller that is started anew', () => {
  it('goes on where the other one stopped, at any step', async () => {
    const world = aMigrationWorld([aMovable().build()]);
    const context = {
      cluster: world.cluster,
      clock: world.clock,
      random: seededRandom(1),
      log: world.log,
      metrics: world.records.metrics,
    };
    let controller = world.controller;
    const restart = async (): Promise<void> => {
      const stopping = controller.stop();
      await world.clock.settle();
      await stopping;
      controller = migrationController(context, { behavior: 'exact', launcherImage: () => undefined });
      controller.start();
      await world.seconds();
    };
    world.ask(anOrder().build());
    await world.seconds();
    await restart();
    world.startPod(world.podOf());
    await restart();
    await world.copy();
    await restart();
    await world.handOver();
    await restart();
    expect(world.phases.get('move-1')?.at(-1)).toBe('Succeeded');
    expect(world.migration()?.metadata.finalizers).toEqual([]);
    expect(world.wrote('create')).toHaveLength(1);
  });

  it('does nothing for what is over', async () => {
    const over = anOrder().phase('Succeeded').meta({ finalizers: [] }).build();
    const vmi: Vmi = aMovable().build();
    const world = aMigrationWorld([vmi]);
    await world.controller.stop();
    world.put(over, sourceOf(vmi));
    await world.seconds();
    world.controller.start();
    await world.seconds(10);
    expect(world.writes).toEqual([]);
  });
});
