import { describe, expect, it } from 'vitest';
import { aMigrationWorld, aMovable, anOrder } from './test-nodes.ts';

const ALL = ['Pending', 'Scheduling', 'Scheduled', 'PreparingTarget', 'TargetReady', 'Running'];
const MIGRATION = 'VirtualMachineInstanceMigration';

describe('a migration that goes through', () => {
  it('takes the recorded steps', async () => {
    const world = aMigrationWorld([aMovable().marked().build()]);
    world.ask(anOrder().evacuation().priority('system-critical').build());
    await world.seconds();
    expect(world.migration()?.status).toMatchObject({
      phase: 'Scheduling',
      migrationState: { sourcePod: 'virt-launcher-db-old' },
    });
    expect(world.vmi().metadata.annotations).toEqual({ 'kubevirt.io/nonroot': 'true' });
    expect(world.vmi().status?.runtimeUser).toBe(107);
    const target = world.podOf();
    expect(target?.metadata).toMatchObject({
      labels: {
        'kubevirt.io': 'virt-launcher',
        'kubevirt.io/created-by': 'uid-db',
        'kubevirt.io/nodeName': 'n1',
        'kubevirt.io/migrationJobUID': 'uid-move-1',
      },
      annotations: { 'kubevirt.io/migrationJobName': 'move-1', 'kubevirt.io/nonroot': 'true' },
    });
    expect(target?.metadata.name).toMatch(/^virt-launcher-db-[a-z0-9]{5}$/);
    expect(target?.spec?.containers).toMatchObject([{ name: 'compute', image: 'launcher:v2' }]);

    world.startPod(target);
    await world.seconds();
    expect(world.migration()?.status?.phase).toBe('PreparingTarget');
    expect(world.vmi().metadata.labels).toMatchObject({ 'kubevirt.io/migrationTargetNodeName': 'n2' });
    expect(world.vmi().status?.migrationState).toMatchObject({
      migrationUid: 'uid-move-1',
      sourceNode: 'n1',
      targetNode: 'n2',
      sourcePod: 'virt-launcher-db-old',
      targetPod: target?.metadata.name,
      migrationConfiguration: { parallelMigrationsPerCluster: 5, progressTimeout: 150 },
    });

    await world.copy();
    expect(world.migration()?.status?.phase).toBe('Running');
    await world.handOver();
    expect(world.podOf()?.metadata.annotations).toMatchObject({
      'kubevirt.io/migration-target-ready-timestamp': '2026-03-01 12:00:05 +0000 UTC',
    });
    const { status, metadata } = world.migration() ?? {};
    expect(world.phases.get('move-1')).toEqual([...ALL, 'Succeeded']);
    expect(metadata?.finalizers).toEqual([]);
    expect(status?.migrationState).toEqual(world.vmi().status?.migrationState);
    expect(status?.phaseTransitionTimestamps?.map(({ phase }) => phase)).toEqual([...ALL, 'Succeeded']);
    expect(world.told(MIGRATION, 'move-1')).toEqual([
      `SuccessfulCreate Created migration target pod ${target?.metadata.name}`,
      'SuccessfulHandOver Migration target pod is ready for preparation by virt-handler.',
      'SuccessfulMigration Source node reported migration succeeded',
    ]);
    expect(new Set(world.events.map(({ component }) => component))).toEqual(
      new Set(['virtualmachine-controller']),
    );
    await world.controller.stop();
  });

  it('is told the user of its guest with the hand-off, unless in exact behaviour', async () => {
    const world = aMigrationWorld([aMovable().build()], { behavior: 'intended' });
    world.ask(anOrder().build());
    await world.seconds();
    expect(world.vmi().metadata.annotations).toBeUndefined();
    expect(world.podOf()?.metadata.annotations).toMatchObject({ 'kubevirt.io/nonroot': 'true' });
    world.startPod(world.podOf());
    await world.seconds();
    expect(world.migration()?.status?.phase).toBe('PreparingTarget');
    expect(world.vmi().metadata.annotations).toEqual({ 'kubevirt.io/nonroot': 'true' });
    expect(world.vmi().status?.runtimeUser).toBe(107);
  });

  it.each([
    ['exact', ['Succeeded false 1', 'Succeeded true 1', 'Succeeded true 0']],
    ['intended', ['Running false 1', 'Succeeded true 1', 'Succeeded true 0']],
  ] as const)('in %s behaviour writes phase, account and finalizer at the end', async (behavior, steps) => {
    const world = aMigrationWorld([aMovable().build()], { behavior });
    world.ask(anOrder().build());
    await world.seconds();
    const ends: string[] = [];
    world.api.watch(({ kind, after }) => {
      if (kind !== MIGRATION || !after) return;
      const { phase, migrationState } = after.status as Record<string, { completed?: boolean }>;
      const finalizers = after.metadata.finalizers?.length;
      ends.push(`${phase} ${migrationState?.completed ?? false} ${finalizers}`);
    });
    await world.moveThrough();
    expect(ends.slice(-3)).toEqual(steps);
  });

  it('says nothing more once it is over', async () => {
    const world = aMigrationWorld([aMovable().build()]);
    world.ask(anOrder().build());
    await world.seconds();
    await world.moveThrough();
    const { length } = world.writes;
    world.changeVmi({ launcherContainerImageVersion: 'launcher:v2' });
    await world.seconds(3600);
    expect(world.writes).toHaveLength(length);
  });
});

describe('a migration that fails on the nodes', () => {
  it('notes what the VMI tells, and leaves the VMI alone', async () => {
    const world = aMigrationWorld([aMovable().build()]);
    world.ask(anOrder().evacuation().build());
    await world.seconds();
    world.startPod(world.podOf());
    await world.seconds();
    await world.copy();
    await world.fail();
    expect(world.phases.get('move-1')).toEqual([...ALL, 'Failed']);
    expect(world.migration()?.metadata.finalizers).toEqual([]);
    expect(world.migration()?.status?.migrationState).toMatchObject({
      failed: true,
      failureReason: 'injected',
    });
    expect(world.told(MIGRATION, 'move-1').at(-1)).toBe(
      'FailedMigration source node reported migration failed',
    );
    expect(world.vmi().status?.nodeName).toBe('n1');
  });

  it('makes those after it wait twice as long each time', async () => {
    const world = aMigrationWorld([aMovable().build()]);
    const starts: number[] = [];
    for (const name of ['move-1', 'move-2', 'move-3']) {
      world.ask(anOrder(name).evacuation().createdAt(world.now()).build());
      const from = world.second();
      await world.clock.until(() => world.podOf(name) !== undefined, 100);
      starts.push(world.second() - from);
      await world.seconds();
      world.startPod(world.podOf(name));
      await world.seconds();
      await world.copy();
      await world.fail(name);
    }
    expect(starts[0]).toBe(0);
    expect(starts[1]).toBeCloseTo(19.8);
    expect(starts[2]).toBeCloseTo(39.8);
    expect(world.told('VirtualMachineInstance', 'db')).toEqual([
      'MigrationBackoff backoff migrating vmi shop/db',
    ]);
  });
});
