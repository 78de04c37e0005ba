import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import {
  anOldVmi,
  aWorld,
  launcherOf,
  MIGRATION,
  movable,
  names,
  startUpdater,
  stuck,
  told,
} from '../../simulation/test-world.ts';

const LIVE = ['LiveMigrate'];
const BOTH = ['LiveMigrate', 'Evict'];

describe('a pass', () => {
  it('waits for the throttle, then counts, migrates and tells', async () => {
    const world = aWorld(LIVE, movable('db'));
    const { cluster } = startUpdater(world);
    await world.clock.advance(4.9);
    expect(world.writes).toEqual([]);
    await world.clock.advance(0.2);
    expect(world.wrote('patch')).toEqual(['kubevirt/kubevirt@5']);
    expect(world.api.get('KubeVirt', 'kubevirt/kubevirt')).toHaveProperty(
      'status.outdatedVirtualMachineInstanceWorkloads',
      1,
    );
    const [made] = world.migrations();
    expect(made).toEqual({
      name: expect.stringMatching(/^kubevirt-workload-update-[0-9a-f]{16}$/),
      vmi: 'db',
    });
    expect(world.api.get(MIGRATION, `shop/${made?.name}`)).toMatchObject({
      metadata: { annotations: { 'kubevirt.io/workloadUpdateMigration': '' } },
      spec: { vmiName: 'db' },
    });
    expect(world.api.get(MIGRATION, `shop/${made?.name}`)).not.toHaveProperty('spec.priority');
    expect(cluster.events).toEqual([
      {
        kind: 'VirtualMachineInstance',
        namespace: 'shop',
        name: 'db',
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created Migration ${made?.name} for automated workload update`,
        component: 'workload-update-controller',
      },
    ]);
  });

  it('sends priorities where it may', async () => {
    const world = aWorld(LIVE, movable('db'));
    startUpdater(world, { sendsPriority: true });
    await world.clock.advance(10);
    expect([...world.api.list(MIGRATION)]).toMatchObject([{ spec: { priority: 'system-critical' } }]);
  });

  it('makes no more migrations than the cluster allows, waiting ones included', async () => {
    const world = aWorld(LIVE, ...names(8).map(movable));
    startUpdater(world);
    await world.clock.advance(120);
    expect(world.migrations()).toHaveLength(5);
  });

  it('goes on with the next when one has ended', async () => {
    const world = aWorld(LIVE, ...names(6).map(movable));
    startUpdater(world);
    await world.clock.advance(10);
    const [first] = world.migrations();
    world.patch(
      'VirtualMachineInstance',
      `shop/${first?.vmi}`,
      '/status/launcherContainerImageVersion',
      'launcher:v2',
    );
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Succeeded' });
    await world.clock.advance(6);
    expect(new Set(world.migrations().map(({ vmi }) => vmi)).size).toBe(6);
  });

  it('tries a VMI again under another name after its migration has failed', async () => {
    const world = aWorld(LIVE, movable('db'));
    startUpdater(world);
    await world.clock.advance(10);
    const [first] = world.migrations();
    world.patch(MIGRATION, `shop/${first?.name}`, '/status', { phase: 'Failed' });
    await world.clock.advance(6);
    expect(world.migrations().map(({ vmi }) => vmi)).toEqual(['db', 'db']);
    expect(new Set(world.migrations().map(({ name }) => name)).size).toBe(2);
  });

  it('evicts those who cannot migrate, a batch at a time', async () => {
    const world = aWorld(BOTH, ...names(5).map(stuck));
    world.put(
      aKubeVirt()
        .methods(...BOTH)
        .batches(2, '15s')
        .build(),
    );
    startUpdater(world);
    await world.clock.advance(60);
    const seconds = world.wrote('evict').map((key) => key.split('@')[1]);
    expect(seconds).toEqual(['5', '5', '20.001', '20.001', '35.002']);
  });

  it('lets no batch be late by a throttle, where the rest ends while a pass is under way', async () => {
    const world = aWorld(BOTH, ...names(3).map(stuck));
    world.put(
      aKubeVirt()
        .methods(...BOTH)
        .batches(2, '15s')
        .build(),
    );
    const slow = { latencySeconds: ({ verb }: { verb: string }) => (verb === 'create' ? 0.1 : 0) };
    startUpdater(world, {}, slow);
    await world.clock.advance(14.95);
    world.put(movable('db'), launcherOf(movable('db')));
    await world.clock.advance(15);
    expect(world.wrote('create', MIGRATION)).toHaveLength(1);
    const seconds = world.wrote('evict').map((key) => Number(key.split('@')[1]));
    expect(seconds).toEqual([5, 5, expect.closeTo(21, 0)]);
  });

  it('evicts nobody twice whose pod is on its way out, and migrates nobody then', async () => {
    const world = aWorld(BOTH, stuck('db'));
    startUpdater(world);
    await world.clock.advance(60);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/conditions', [
      { type: 'LiveMigratable', status: 'True' },
    ]);
    await world.clock.advance(600);
    expect(world.wrote('evict')).toEqual(['shop/virt-launcher-db-1@5']);
    expect(world.migrations()).toEqual([]);
  });

  it('aborts migrations that have lost their purpose, once', async () => {
    const current = anOldVmi('db').launcher('launcher:v2').build();
    const world = aWorld(LIVE, current);
    world.put({
      kind: MIGRATION,
      metadata: {
        name: 'm',
        namespace: 'shop',
        annotations: { 'kubevirt.io/workloadUpdateMigration': '' },
        finalizers: ['kubevirt.io/migrationJobFinalize'],
      },
      spec: { vmiName: 'db' },
    });
    const { cluster } = startUpdater(world);
    await world.clock.advance(120);
    expect(world.wrote('delete')).toEqual(['shop/m@5']);
    expect(told(cluster)).toEqual(['SuccessfulChangeAbortion db: Aborted change for vmi: db']);
  });

  it('does nothing about a CR that is gone, and begins anew with another', async () => {
    const world = aWorld(LIVE, movable('db'));
    startUpdater(world);
    world.api.delete('KubeVirt', 'kubevirt/kubevirt');
    await world.clock.advance(60);
    expect(world.migrations()).toEqual([]);
    world.put(
      aKubeVirt()
        .methods(...LIVE)
        .build(),
    );
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
  });

  it('sets KubeVirt’s gauge and its own', async () => {
    const world = aWorld(LIVE, movable('db'), movable('web'));
    startUpdater(world);
    await world.clock.advance(6);
    expect(world.records.metric('kubevirt_vmi_number_of_outdated')).toBe(2);
    expect(world.records.metric('drover_outdated_vmis')).toBe(2);
    expect(world.records.metric('drover_migrations_cap')).toBe(5);
    expect(
      world.records.metric(
        'drover_actions_total',
        'action=migrate,controller=workload-update,reason=MigrationCreated',
      ),
    ).toBe(2);
  });
});
