import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { type CategoryInput, categorise, categoryTable } from './categorise.ts';
import { ABORT, BOTH, current, foreign, input, own, stale } from './test-category.ts';

const reasonFor = (vmi: ReturnType<typeof aVmi>, change?: Partial<CategoryInput>) =>
  decide(categoryTable, input(vmi, change)).reason;

const RESULTS = {
  NotRunning: { action: 'ignore', counted: false },
  BeingDeleted: { action: 'ignore', counted: false },
  ChangeWithdrawn: { action: 'abort', counted: false },
  LauncherImageUnknown: { action: 'ignore', counted: false },
  UpToDate: { action: 'ignore', counted: false },
  Migrating: { action: 'wait', counted: true, waitsFor: 'migration' },
  UnfinishedMigration: { action: 'wait', counted: true, waitsFor: 'unfinishedMigration' },
  LiveMigratable: { action: 'migrate', counted: true },
  VolumesMigratable: { action: 'migrate', counted: true },
  MethodEvict: { action: 'evict', counted: true },
  NoMethodApplies: { action: 'wait', counted: true, waitsFor: 'method' },
} as const;

const migrating = { startTimestamp: '2026-03-01T11:59:00Z' };
const movingVolumes = () =>
  stale().status({
    migratedVolumes: [{ volumeName: 'root' }],
    volumeStatus: [{ name: 'root', persistentVolumeClaimInfo: { accessModes: ['ReadWriteOnce'] } }],
  });

const CASES: [string, ReturnType<typeof aVmi>, Partial<CategoryInput>, keyof typeof RESULTS][] = [
  ['starts', stale().phase('Scheduling'), {}, 'NotRunning'],
  ['has no phase', stale().status({ phase: undefined }), {}, 'NotRunning'],
  ['has ended', stale().phase('Succeeded'), {}, 'NotRunning'],
  ['is being deleted', stale().deleting(), {}, 'BeingDeleted'],
  [
    'lost the change that its migration was for',
    current(),
    { unfinishedMigrations: [own] },
    'ChangeWithdrawn',
  ],
  [
    'is to be aborted',
    current().condition('HotVCPUChange', 'True').annotated(ABORT),
    { unfinishedMigrations: [own] },
    'ChangeWithdrawn',
  ],
  ['is to be aborted, but outdated', stale(), { unfinishedMigrations: [own] }, 'UnfinishedMigration'],
  ['is to be aborted, of unknown image', aVmi('db'), { unfinishedMigrations: [own] }, 'ChangeWithdrawn'],
  ['has a foreign migration', current(), { unfinishedMigrations: [foreign] }, 'UpToDate'],
  ['has an unknown image', aVmi('db').migratable(), {}, 'LauncherImageUnknown'],
  ['has an empty image', aVmi('db').launcher(''), {}, 'LauncherImageUnknown'],
  [
    'has an unknown image and a pending change',
    aVmi('db').condition('HotVCPUChange', 'True'),
    {},
    'MethodEvict',
  ],
  ['is current', current().migratable(), {}, 'UpToDate'],
  [
    'is current and migrates for a change',
    current().condition('HotVCPUChange', 'True').migrationState(migrating),
    {},
    'UpToDate',
  ],
  [
    'is current with a pending change',
    current().condition('HotMemoryChange', 'True').migratable(),
    {},
    'LiveMigratable',
  ],
  [
    'is current with volumes to change',
    current().condition('VolumesChange', 'True').migratable(),
    {},
    'LiveMigratable',
  ],
  ['is outdated and migrates', stale().migratable().migrationState(migrating), {}, 'Migrating'],
  [
    'is outdated and has a migration',
    stale().migratable(),
    { unfinishedMigrations: [foreign] },
    'UnfinishedMigration',
  ],
  [
    'migrates and has a migration',
    stale().migrationState(migrating),
    { unfinishedMigrations: [own] },
    'Migrating',
  ],
  ['is outdated and can migrate', stale().migratable(), {}, 'LiveMigratable'],
  [
    'can migrate by the second of two conditions',
    stale().migratable('False').migratable(),
    {},
    'LiveMigratable',
  ],
  ['can migrate, strategy None', stale().migratable().strategy('None'), {}, 'LiveMigratable'],
  ['can migrate, without Evict', stale().migratable(), { methods: ['LiveMigrate'] }, 'LiveMigratable'],
  ['can migrate, only Evict', stale().migratable(), { methods: ['Evict'] }, 'MethodEvict'],
  ['moves volumes', movingVolumes().migratable('False'), {}, 'VolumesMigratable'],
  ['moves volumes, only Evict', movingVolumes().migratable('False'), { methods: ['Evict'] }, 'MethodEvict'],
  [
    'moves volumes that cannot go',
    movingVolumes().condition('StorageLiveMigratable', 'False'),
    {},
    'MethodEvict',
  ],
  ['cannot migrate', stale().migratable('False'), {}, 'MethodEvict'],
  ['may or may not migrate', stale().migratable('Unknown'), {}, 'MethodEvict'],
  ['says nothing about migrating', stale(), {}, 'MethodEvict'],
  [
    'cannot migrate, only LiveMigrate',
    stale().migratable('False'),
    { methods: ['LiveMigrate'] },
    'NoMethodApplies',
  ],
  ['can migrate, no methods', stale().migratable(), { methods: [] }, 'NoMethodApplies'],
  [
    'can migrate, other capitals',
    stale().migratable(),
    { methods: ['livemigrate', 'EVICT'] },
    'NoMethodApplies',
  ],
];

describe('the category of a VMI', () => {
  it.each(CASES)('that %s', (_, vmi, change, reason) => {
    const decided = decide(categoryTable, input(vmi, change));
    expect({ reason: decided.reason, result: decided.result }).toEqual({ reason, result: RESULTS[reason] });
    expect(categorise(input(vmi, change))).toBe(decided.result);
  });

  it('has a case for every rule', () => {
    expect(new Set(CASES.map(([, , , reason]) => reason))).toEqual(
      new Set(categoryTable.map(({ name }) => name)),
    );
  });

  it.each([
    ['start at this instant: under way', { startTimestamp: '2026-03-01T12:00:00Z' }, 'Migrating'],
    ['start a second later: not yet', { startTimestamp: '2026-03-01T12:00:01Z' }, 'MethodEvict'],
    ['ended at this instant: over', { ...migrating, endTimestamp: '2026-03-01T12:00:00Z' }, 'MethodEvict'],
  ])('migrations that %s', (_, state, reason) => {
    expect(reasonFor(stale().migrationState(state))).toBe(reason);
  });

  it('takes HotVCPUChange by any status as v1.9.0 does, unless only what is intended is asked for', () => {
    const vmi = () => current().condition('HotVCPUChange', 'False');
    expect(reasonFor(vmi())).toBe('MethodEvict');
    expect(reasonFor(vmi(), { behavior: 'exact' })).toBe('MethodEvict');
    expect(reasonFor(vmi(), { behavior: 'intended' })).toBe('UpToDate');
    const withOwn = { unfinishedMigrations: [own] };
    expect(reasonFor(vmi(), withOwn)).toBe('UnfinishedMigration');
    expect(reasonFor(vmi(), { ...withOwn, behavior: 'intended' })).toBe('ChangeWithdrawn');
  });

  it('is counted if and only if it waits, migrates or is evicted', () => {
    const phases = fc.constantFrom('Running', 'Scheduled', 'Failed');
    const images = fc.constantFrom('v1', 'v2', '');
    const conditions = fc.subarray(['HotVCPUChange', 'HotMemoryChange', 'VolumesChange', 'LiveMigratable']);
    const lists = fc.subarray([own, foreign]);
    fc.assert(
      fc.property(
        phases,
        images,
        conditions,
        lists,
        fc.subarray(BOTH),
        (phase, image, types, unfinished, methods) => {
          const vmi = types.reduce(
            (built, type) => built.condition(type, 'True'),
            aVmi().phase(phase).launcher(image),
          );
          const { action, counted } = categorise(input(vmi, { unfinishedMigrations: unfinished, methods }));
          expect(counted).toBe(['wait', 'migrate', 'evict'].includes(action));
          if (action === 'migrate') expect(methods).toContain('LiveMigrate');
          if (action === 'evict') expect(methods).toContain('Evict');
          if (action === 'migrate' || action === 'evict') expect(unfinished).toEqual([]);
        },
      ),
    );
  });
});
