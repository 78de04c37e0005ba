import { describe, expect, it } from 'vitest';
import { aMigration } from '../../../kubevirt/builders.ts';
import type { Migration } from '../../../kubevirt/objects.ts';
import { aMigrationWorld, aMovable, anOrder, type MigrationWorld } from './test-nodes.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const VMI = 'VirtualMachineInstance';

async function ordered(order: Migration = anOrder().build()): Promise<MigrationWorld> {
  const world = aMigrationWorld([aMovable().build()]);
  world.ask(order);
  await world.seconds();
  return world;
}

function cancel(world: MigrationWorld): void {
  world.api.delete(MIGRATION, 'shop/move-1');
}

describe('a migration that is deleted', () => {
  it('is gone at once while it waits for a place', async () => {
    const world = aMigrationWorld([aMovable().build()], { mayStart: () => false });
    world.ask(anOrder().build());
    await world.seconds();
    cancel(world);
    await world.seconds();
    expect(world.phases.get('move-1')).toEqual(['Pending', 'Failed']);
    expect(world.migration()).toBeUndefined();
    expect(world.told(MIGRATION, 'move-1')).toEqual([
      'FailedMigration Migration failed due to being canceled',
    ]);
    await world.seconds(10);
    expect(world.started()).toEqual([]);
  });

  it('takes its target pod with it before the hand-off', async () => {
    const world = await ordered();
    const name = world.podOf()?.metadata.name;
    cancel(world);
    await world.seconds();
    expect(world.podOf()).toBeUndefined();
    expect(world.migration()).toBeUndefined();
    expect(world.told(MIGRATION, 'move-1').slice(1)).toEqual([
      `SuccessfulDelete migration canceled and pod shop/${name} is deleted`,
      'FailedMigration Migration failed due to being canceled',
    ]);
  });

  it('waits for the nodes to stop the copy, as it was recorded', async () => {
    const world = await ordered();
    world.startPod(world.podOf());
    await world.seconds();
    await world.copy();
    cancel(world);
    await world.seconds();
    expect(world.vmi().status?.migrationState?.abortRequested).toBe(true);
    expect(world.migration()?.status).toMatchObject({
      phase: 'Running',
      conditions: [{ type: 'migrationAbortRequested', status: 'True' }],
    });
    world.account({ abortStatus: 'Succeeded' });
    await world.fail('move-1', 'db', 'Live migration has been aborted');
    expect(world.phases.get('move-1')?.at(-1)).toBe('Failed');
    expect(world.migration()).toBeUndefined();
    expect(world.told(MIGRATION, 'move-1').slice(2)).toEqual([
      'SuccessfulAbortMigration Migration is ready to be canceled by virt-handler.',
      'FailedMigration source node reported migration failed',
    ]);
  });

  it('is noted, and no more, while the target is being prepared', async () => {
    const world = await ordered();
    world.startPod(world.podOf());
    await world.seconds();
    cancel(world);
    await world.seconds(5);
    expect(world.vmi().status?.migrationState?.abortRequested).toBeUndefined();
    expect(world.migration()?.status?.conditions).toHaveLength(1);
    await world.copy();
    expect(world.vmi().status?.migrationState?.abortRequested).toBe(true);
  });
});

describe('a target pod that does not start', () => {
  it('is given up after five minutes when it fits nowhere, as it was recorded', async () => {
    const world = await ordered(anOrder().evacuation().build());
    const name = world.podOf()?.metadata.name;
    world.fitNowhere(world.podOf());
    await world.seconds(299);
    expect(world.migration()?.status?.phase).toBe('Scheduling');
    await world.seconds(1);
    expect(world.podOf()).toBeUndefined();
    expect(world.phases.get('move-1')).toEqual(['Pending', 'Scheduling', 'Failed']);
    expect(world.migration()?.metadata.finalizers).toEqual([]);
    expect(world.migration()?.status?.migrationState).toEqual({ sourcePod: 'virt-launcher-db-old' });
    expect(world.told(MIGRATION, 'move-1')).toEqual([
      `SuccessfulCreate Created migration target pod ${name}`,
      'migrationTargetPodUnschedulable Migration target pod for VMI [shop/db] is currently unschedulable.',
      `SuccessfulDelete unschedulable pod shop/${name} timeout period exceeded`,
      'FailedMigration Migration target pod was removed during active migration.',
    ]);
    expect(world.told(VMI, 'db')).toEqual([]);
  });

  it('is given up after a quarter of an hour for any other reason', async () => {
    const world = await ordered();
    const name = world.podOf()?.metadata.name;
    world.changePod(world.podOf(), { phase: 'Pending' });
    await world.seconds(899);
    expect(world.podOf()).toBeDefined();
    await world.seconds(1);
    // Nobody has bound it, so it goes at once.
    expect(world.podOf()).toBeUndefined();
    expect(world.told(MIGRATION, 'move-1')).toContain(
      `SuccessfulDelete pending pod shop/${name} timeout period exceeded`,
    );
  });

  it('is deleted once, however long it takes to go', async () => {
    const world = await ordered();
    world.changePod(world.podOf(), { phase: 'Pending' }, 'n2');
    await world.seconds(950);
    expect(world.wrote('delete', 'Pod')).toHaveLength(1);
    expect(world.migration()?.status?.phase).toBe('Scheduling');
  });

  it('is told of to the VMI where no node has the CPU of its host', async () => {
    const vmi = aMovable()
      .spec({ domain: { cpu: { model: 'host-model' } } })
      .build();
    const world = aMigrationWorld([vmi]);
    world.modify('Pod', 'shop/virt-launcher-db-old', (pod: { spec: object }) => ({
      ...pod,
      spec: { ...pod.spec, nodeSelector: { 'cpu-model-migration.node.kubevirt.io/Skylake': 'true' } },
    }));
    world.ask(anOrder().build());
    await world.seconds();
    world.fitNowhere(world.podOf());
    await world.seconds();
    expect(world.told(VMI, 'db')).toEqual([
      'NoSuitableNodesForHostModelMigration Migration cannot proceed since no node is suitable to run the ' +
        'required CPU model / required features: map[cpu-model-migration.node.kubevirt.io/Skylake:true]',
    ]);
  });
});

describe('a migration that loses what it needs', () => {
  it('fails when its target pod ends', async () => {
    const world = await ordered();
    world.changePod(world.podOf(), { phase: 'Failed' }, 'n2');
    await world.seconds();
    expect(world.told(MIGRATION, 'move-1').at(-1)).toBe(
      'FailedMigration Migration failed because target pod shutdown during migration',
    );
  });

  it('tells the VMI when the target is gone before anybody there had heard of it', async () => {
    const world = await ordered();
    world.startPod(world.podOf());
    await world.seconds();
    world.changePod(world.podOf(), { phase: 'Failed' });
    await world.seconds();
    expect(world.migration()?.status?.phase).toBe('Failed');
    expect(world.vmi().status?.migrationState).toMatchObject({
      migrationUid: 'uid-move-1',
      failed: true,
      completed: true,
      startTimestamp: '2026-03-01T12:00:00Z',
      endTimestamp: '2026-03-01T12:00:00Z',
      failureReason: 'Target pod is down',
    });
    expect(world.told(VMI, 'db')).toEqual([
      'FailedMigration VirtualMachineInstance migration uid uid-move-1 failed. reason: Target pod is down',
    ]);
    expect(world.migration()?.status?.migrationState?.failed).toBe(true);
  });

  it('fails when the VMI ends', async () => {
    const world = await ordered();
    world.changeVmi({ phase: 'Succeeded' });
    await world.seconds();
    expect(world.told(MIGRATION, 'move-1').at(-1)).toBe(
      'FailedMigration Migration failed vmi shutdown during migration.',
    );
    expect(world.migration()?.status?.phase).toBe('Failed');
  });

  it('is deleted when its VMI is gone', async () => {
    const world = await ordered();
    world.api.delete(VMI, 'shop/db');
    await world.seconds();
    expect(world.migration()).toBeUndefined();
    expect(world.told(MIGRATION, 'move-1').at(-1)).toBe(
      'FailedMigration Migration failed because vmi does not exist.',
    );
  });

  it('is deleted, long finished, when its VMI is gone', async () => {
    const world = await ordered();
    await world.moveThrough();
    world.api.delete(VMI, 'shop/db');
    await world.seconds();
    expect(world.migration()).toBeUndefined();
  });

  it('touches nothing while its VMI is being deleted', async () => {
    const world = aMigrationWorld([
      aMovable()
        .meta({ finalizers: ['x'] })
        .build(),
    ]);
    world.api.delete(VMI, 'shop/db');
    world.ask(anOrder().build());
    await world.seconds(10);
    expect(world.started()).toEqual([]);
    expect(world.migration()?.status?.phase).toBe('Pending');
  });
});

describe('a migration that may not begin', () => {
  it('fails when another one has the VMI', async () => {
    const world = await ordered();
    world.startPod(world.podOf());
    await world.seconds();
    world.ask(anOrder('move-2').build());
    await world.seconds();
    expect(world.phases.get('move-2')).toEqual(['Failed']);
    expect(world.told(MIGRATION, 'move-2')).toEqual([
      'FailedMigration VMI is not eligible for migration because another migration job is in progress.',
    ]);
    expect(world.migration()?.status?.phase).toBe('PreparingTarget');
  });

  it('gets the label by which it is found, before anything else', async () => {
    const bare = aMigration().meta({ labels: undefined }).build();
    const world = await ordered(bare);
    expect(world.migration()?.metadata.labels).toEqual({ 'kubevirt.io/vmi-name': 'db' });
    expect(world.migration()?.status?.phase).toBe('Scheduling');
  });
});
