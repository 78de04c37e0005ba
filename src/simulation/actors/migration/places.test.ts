import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../../kubevirt/builders.ts';
import type { Migration } from '../../../kubevirt/objects.ts';
import { aMigrationWorld, aMovable, anOrder, type MigrationWorld } from './test-nodes.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

/** VMIs `a1…` on n1 and so on, as many as the text has letters per node: `2` VMIs on n1 and `3` on n2 for `[2, 3]`. */
function fleetOf(counts: readonly number[]): string[] {
  return counts.flatMap((count, node) => Array.from({ length: count }, (_, n) => `${'abc'[node]}${n + 1}`));
}

const nodeOf = (vmi: string): string => ({ a: 'n1', b: 'n2', c: 'n3' })[vmi[0] ?? ''] ?? 'n1';

function aCrowd(counts: readonly number[], options = {}, faults = {}): MigrationWorld {
  return aMigrationWorld(
    fleetOf(counts).map((name) => aMovable(name, nodeOf(name)).build()),
    options,
    faults,
  );
}

const orderFor = (vmi: string, priority?: string): Migration => {
  const order = anOrder(`m-${vmi}`, vmi);
  return (priority === undefined ? order : order.priority(priority)).build();
};

const caps = (cluster: number, node: number) =>
  aKubeVirt()
    .spec({
      configuration: {
        migrations: { parallelMigrationsPerCluster: cluster, parallelOutboundMigrationsPerNode: node },
      },
    })
    .build();

async function end(world: MigrationWorld, vmi: string): Promise<void> {
  world.modify(MIGRATION, `shop/m-${vmi}`, (migration: Migration) => ({
    ...migration,
    status: { ...migration.status, phase: 'Failed' },
  }));
  world.api.delete('Pod', `shop/${world.podOf(`m-${vmi}`)?.metadata.name}`);
  await world.seconds();
}

describe('places for migrations', () => {
  it('are two for each node and five for all', async () => {
    const world = aCrowd([3, 3, 3]);
    for (const vmi of fleetOf([3, 3, 3])) world.ask(orderFor(vmi));
    await world.seconds();
    expect(world.started()).toEqual(['m-a1', 'm-a2', 'm-b1', 'm-b2', 'm-c1']);
    await world.seconds(60);
    expect(world.started()).toHaveLength(5);
  });

  it('go to the next as soon as one has ended', async () => {
    const world = aCrowd([3, 3, 3]);
    for (const vmi of fleetOf([3, 3, 3])) world.ask(orderFor(vmi));
    await world.seconds(1);
    await end(world, 'b1');
    expect(world.started()).toEqual(['m-a1', 'm-a2', 'm-b2', 'm-b3', 'm-c1']);
    await end(world, 'a2');
    await end(world, 'c1');
    expect(world.started()).toEqual(['m-a1', 'm-a3', 'm-b2', 'm-b3', 'm-c2']);
  });

  it('go to the most urgent first', async () => {
    const world = aCrowd([5]);
    world.ask(orderFor('a1'));
    world.ask(orderFor('a2', 'system-maintenance'));
    world.ask(orderFor('a3', 'user-triggered'));
    world.ask(orderFor('a4', 'system-critical'));
    world.ask(orderFor('a5', 'system-critical'));
    await world.seconds();
    expect(world.started()).toEqual(['m-a4', 'm-a5']);
    for (const vmi of ['a4', 'a3', 'a2']) await end(world, vmi);
    expect(world.started()).toEqual(['m-a1', 'm-a5']);
  });

  it('cost those nothing who wait for one', async () => {
    const world = aCrowd([40]);
    for (const vmi of fleetOf([40])) world.ask(orderFor(vmi, 'system-critical'));
    await world.seconds();
    const before = world.writes.length;
    const next = world.clock.nextAt() ?? Number.POSITIVE_INFINITY;
    expect(next - world.clock.now()).toBeGreaterThanOrEqual(900_000);
    await world.seconds(899);
    expect(world.writes).toHaveLength(before);
  });

  it('that stay free because the first in line may not have them go to the one who would ask next', async () => {
    const world = aCrowd([6, 1]);
    world.put(caps(3, 2));
    for (const vmi of fleetOf([6])) world.ask(orderFor(vmi, 'system-critical'));
    await world.seconds();
    expect(world.started()).toEqual(['m-a1', 'm-a2']);
    await world.seconds(0.3);
    world.put(caps(2, 2));
    world.ask(orderFor('b1', 'user-triggered'));
    await world.seconds(1);
    expect(world.started()).toEqual(['m-a1', 'm-a2']);
    // b1 asked at 0.3 and does so every three seconds.
    await world.seconds(0.5);
    world.put(caps(3, 2));
    await world.seconds(1.4);
    expect(world.started()).toEqual(['m-a1', 'm-a2']);
    await world.seconds(0.2);
    expect(world.started()).toEqual(['m-a1', 'm-a2', 'm-b1']);
  });

  it('are left by the one who has moved and not ended: on both nodes', async () => {
    const world = aCrowd([2, 1]);
    world.put(caps(5, 1));
    for (const vmi of ['a1', 'a2', 'b1']) world.ask(orderFor(vmi));
    await world.seconds();
    expect(world.started()).toEqual(['m-a1', 'm-b1']);
    await end(world, 'b1');
    world.changeVmi({ nodeName: 'n2', migrationState: { sourceNode: 'n1' } }, 'a1');
    await world.seconds(6);
    expect(world.started()).toEqual(['m-a1']);
  });

  it('are not given to a VMI that still has another pod', async () => {
    const world = aMigrationWorld([aMovable().build()]);
    const leftover = world.api.get('Pod', 'shop/virt-launcher-db-old');
    world.put({ ...leftover, metadata: { ...leftover?.metadata, name: 'left-over', uid: 'other' } });
    world.ask(anOrder().build());
    await world.seconds(5.5);
    expect(world.started()).toEqual([]);
    world.api.delete('Pod', 'shop/left-over', { graceSeconds: 0 });
    await world.seconds(1);
    expect(world.started()).toEqual(['move-1']);
  });

  it('are not given to a VMI that does not run', async () => {
    const world = aMigrationWorld([aMovable().phase('Scheduled').build()]);
    world.ask(anOrder().build());
    await world.seconds(10);
    expect(world.started()).toEqual([]);
    world.changeVmi({ phase: 'Running' });
    await world.seconds();
    expect(world.started()).toEqual(['move-1']);
  });

  it('are never too many, however late the controller learns of what it did', async () => {
    const world = aCrowd([4, 4], {}, { lagSeconds: () => 0.2, latencySeconds: () => 0.05 });
    world.put(caps(3, 2));
    for (const vmi of fleetOf([4, 4])) world.ask(orderFor(vmi));
    let most = 0;
    world.api.watch(() => {
      const pods = [...world.api.list('Pod')].filter(({ metadata }) => 'annotations' in metadata);
      most = Math.max(
        most,
        pods.filter(({ metadata }) => JSON.stringify(metadata).includes('migrationJobName')).length,
      );
    });
    await world.seconds(20);
    expect(most).toBe(3);
    expect(world.started()).toHaveLength(3);
  });
});

describe('a course that is known beforehand', () => {
  it('is followed in the order of the pods that were created', async () => {
    const order = ['b1', 'a2', 'a1', 'b2'];
    const world = aCrowd([2, 2], {
      mayStart: ({ metadata }: Migration) => metadata.name === `m-${order[world.started().length]}`,
    });
    const created: string[] = [];
    world.api.watch(({ kind, before, after }) => {
      const name = (after?.metadata.annotations as Record<string, string>)?.['kubevirt.io/migrationJobName'];
      if (kind === 'Pod' && !before && name) created.push(name);
    });
    for (const vmi of fleetOf([2, 2])) world.ask(orderFor(vmi, 'system-critical'));
    await world.seconds();
    expect(created).toEqual(['m-b1', 'm-a2', 'm-a1', 'm-b2']);
    expect(world.second()).toBe(0);
  });

  it('is followed after an end too, also by those far back in the queue', async () => {
    let next: string | undefined = 'a1';
    const world = aCrowd([8], { mayStart: ({ metadata }: Migration) => metadata.name === `m-${next}` });
    world.put(caps(1, 1));
    for (const vmi of fleetOf([8])) world.ask(orderFor(vmi));
    await world.seconds();
    expect(world.started()).toEqual(['m-a1']);
    next = 'a8';
    await end(world, 'a1');
    expect(world.started()).toEqual(['m-a8']);
  });

  it('is followed at once although pods are seen late', async () => {
    const order = ['a1', 'b1', 'a2', 'b2'];
    const late = { lagSeconds: () => 0.02, latencySeconds: () => 0.001 };
    const world = aCrowd([2, 2], { mayStart: () => true }, late);
    for (const vmi of order) world.ask(orderFor(vmi));
    await world.seconds(0.5);
    expect(world.started()).toHaveLength(4);
  });

  it('is followed when it depends on how far others are', async () => {
    const world: MigrationWorld = aCrowd([2], {
      mayStart: ({ metadata }: Migration) =>
        metadata.name === 'm-a2' || world.migration('m-a2')?.status?.phase === 'Scheduling',
    });
    for (const vmi of ['a1', 'a2']) world.ask(orderFor(vmi));
    await world.seconds();
    expect(world.started()).toEqual(['m-a1', 'm-a2']);
  });

  it('is asked for again every second', async () => {
    let isOpen = false;
    const world = aCrowd([1], { mayStart: () => isOpen });
    world.ask(orderFor('a1'));
    await world.seconds(0.5);
    isOpen = true;
    await world.seconds(0.4);
    expect(world.started()).toEqual([]);
    await world.seconds(0.1);
    expect(world.started()).toEqual(['m-a1']);
  });
});
