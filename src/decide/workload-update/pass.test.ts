import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { resolveSettings } from '../settings.ts';
import { NO_BATCH } from './batch.ts';
import type { PassInput } from './pass.ts';
import { migratable, NOW, plan, stale, stuck, told } from './test-pass.ts';

const running = (count: number) =>
  Array.from({ length: count }, (_, i) => aMigration(`r${i}`, 'other').phase('Running').build());

describe('a pass', () => {
  it('with nothing to do counts, expects nothing, and waits for an event', () => {
    expect(plan({})).toStrictEqual({
      outdatedCount: 0,
      statusPatch: expect.objectContaining({ name: 'kubevirt' }),
      state: { batch: NO_BATCH, expectation: { pending: 0, setAt: NOW } },
      requeueAfterSeconds: undefined,
      commands: [],
      withoutPod: [],
    });
  });

  it('counts also those that it leaves alone', () => {
    const vmis = [...stuck('a'), ...migratable('b')];
    const kubevirt = aKubeVirt().status({ outdatedVirtualMachineInstanceWorkloads: 2 }).build();
    const pass = plan({ kubevirt, vmis });
    expect(pass).toMatchObject({ outdatedCount: 2, statusPatch: undefined, commands: [] });
    expect(pass.requeueAfterSeconds).toBeUndefined();
  });

  it('writes the count where it differs', () => {
    expect(plan({ vmis: migratable('a') }).statusPatch?.patch).toEqual([
      { op: 'add', path: '/status/outdatedVirtualMachineInstanceWorkloads', value: 1 },
    ]);
  });

  it.each([
    ['something to migrate', { vmis: migratable('a') }],
    ['something to evict', { vmis: stuck('a') }],
    [
      'something to abort',
      { vmis: [aVmi('db').launcher('v2').build()], migrations: [aMigration().workloadUpdate().build()] },
    ],
  ])('with %s comes back: after 30 seconds, which v1.9.0 takes for nanoseconds', (_, cluster) => {
    expect(plan({ ...cluster, behavior: 'intended' }).requeueAfterSeconds).toBe(30);
    expect(plan({ ...cluster, behavior: 'exact' }).requeueAfterSeconds).toBe(30e-9);
  });

  it('comes back also when there is no place', () => {
    expect(plan({ vmis: migratable('a'), migrations: running(5) })).toMatchObject({
      commands: [],
      requeueAfterSeconds: 30e-9,
    });
  });

  it('keeps the rest of what it remembers', () => {
    const state = { batch: { ...NO_BATCH, lastAt: NOW - 1000 }, expectation: { pending: 0, setAt: 1 } };
    expect(plan({ vmis: migratable('a') }, { state }).state).toEqual({
      batch: state.batch,
      expectation: { pending: 1, setAt: NOW },
    });
  });
});

describe('the migrations of a pass', () => {
  it('are as many as the cap leaves places, five by default', () => {
    const vmis = migratable('a', 'b', 'c', 'd', 'e', 'f');
    expect(told(plan({ vmis }))).toHaveLength(5);
    expect(told(plan({ vmis, migrations: running(3) }))).toEqual(['createMigration a', 'createMigration b']);
    expect(told(plan({ vmis, migrations: running(7) }))).toEqual([]);
    expect(plan({ vmis }).state.expectation?.pending).toBe(5);
  });

  it('follow the draw', () => {
    const kubevirt = aKubeVirt()
      .methods('LiveMigrate')
      .spec({
        workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] },
        configuration: { migrations: { parallelMigrationsPerCluster: 2 } },
      })
      .build();
    const shuffle = (list: readonly Vmi[]) => list.toReversed();
    expect(told(plan({ kubevirt, vmis: migratable('a', 'b', 'c') }, { shuffle }))).toEqual([
      'createMigration c',
      'createMigration b',
    ]);
  });

  it('leave pending ones out of the cap as v1.9.0 does, unless told otherwise', () => {
    const pending = [1, 2, 3, 4].map((i) => aMigration(`p${i}`, 'other').phase('Pending').build());
    const cluster = { vmis: migratable('a', 'b'), migrations: pending };
    expect(told(plan(cluster))).toHaveLength(2);
    expect(told(plan({ ...cluster, behavior: 'intended' }))).toHaveLength(2);
    expect(told(plan(cluster, { countsPending: true }))).toHaveLength(1);
    expect(told(plan(cluster, { countsPending: false }))).toHaveLength(2);
  });

  it('never count those that a quota refuses', () => {
    const refused = [1, 2, 3, 4, 5].map((i) =>
      aMigration(`r${i}`, 'other').phase('Pending').condition('migrationRejectedByResourceQuota').build(),
    );
    const cluster = { vmis: migratable('a', 'b'), migrations: refused };
    expect(told(plan(cluster, { countsPending: true }))).toHaveLength(2);
  });

  it('have a priority if the version has them and the sender may', () => {
    const priority = (change: Partial<PassInput> = {}) => {
      const [command] = plan({ vmis: migratable('a') }, change).commands;
      return command?.kind === 'createMigration' ? command.migration.spec.priority : 'none made';
    };
    expect(priority()).toBe('system-critical');
    expect(priority({ sendsPriority: true })).toBe('system-critical');
    expect(priority({ sendsPriority: false })).toBeUndefined();
    expect(priority({ settings: resolveSettings(undefined, { major: 1, minor: 6 }) })).toBeUndefined();
  });

  it('read hot-plug by behaviour', () => {
    const vmis = [stale('a').condition('HotVCPUChange', 'False').migratable().build()];
    const prioritised = (priority: string) => [{ migration: { spec: { priority } } }];
    expect(plan({ vmis, behavior: 'exact' }).commands).toMatchObject(prioritised('user-triggered'));
    expect(plan({ vmis, behavior: 'intended' }).commands).toMatchObject(prioritised('system-critical'));
  });
});

describe('the aborts of a pass', () => {
  it("delete every unfinished migration of the updater's own, and no other", () => {
    const migrations = [
      aMigration('own-1').workloadUpdate().phase('Running').build(),
      aMigration('evacuation').evacuation().build(),
      aMigration('own-2').workloadUpdate().build(),
      aMigration('own-0').workloadUpdate().phase('Failed').build(),
    ];
    const pass = plan({ vmis: [aVmi('db').launcher('v2').build()], migrations });
    expect(pass.commands.map((command) => command.kind === 'deleteMigration' && command.migration)).toEqual([
      migrations[0],
      migrations[2],
    ]);
  });

  it('happen without any method, beside nothing else', () => {
    const vmis = [aVmi('db').launcher('v2').build(), ...migratable('a'), ...stuck('b')];
    const migrations = [aMigration('own').workloadUpdate().build()];
    expect(told(plan({ kubevirt: aKubeVirt().build(), vmis, migrations }))).toEqual(['deleteMigration db']);
  });
});
