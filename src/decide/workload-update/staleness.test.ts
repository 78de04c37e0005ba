import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Behavior } from '../rules.ts';
import {
  isChangePending,
  isHotplugInProgress,
  isVolumeUpdateInProgress,
  outdated,
  ownMigrations,
  requiresMigration,
  shouldAbort,
} from './staleness.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const ABORT = 'kubevirt.io/testWorkloadUpdateMigrationAbortion';
const vmi = () => aVmi('db');
const hotplugged = () => vmi().condition('HotMemoryChange', 'True');
const migrating = { startTimestamp: '2026-03-01T11:00:00Z' };
const own = aMigration('own').workloadUpdate().build();
const foreign = aMigration('foreign').evacuation().build();

describe('outdated', () => {
  it.each([
    ['another image', vmi().launcher('v1'), 'v2', true],
    ['the same image', vmi().launcher('v2'), 'v2', false],
    ['other capitals', vmi().launcher('V2'), 'v2', true],
    ['an unknown image', vmi(), 'v2', false],
    ['an empty image', vmi().launcher(''), 'v2', false],
    ['an empty own image', vmi().launcher('v2'), '', true],
    ['a VMI that succeeded', vmi().launcher('v1').phase('Succeeded'), 'v2', false],
    ['a VMI that failed', vmi().launcher('v1').phase('Failed'), 'v2', false],
    ['a VMI that only starts', vmi().launcher('v1').phase('Scheduled'), 'v2', true],
  ])('%s', (_, builder, image, expected) => {
    expect(outdated(builder.build(), image)).toBe(expected);
  });
});

describe('a pending change', () => {
  it.each<[string, string, Record<Behavior, boolean>]>([
    ['HotVCPUChange', 'True', { exact: true, intended: true }],
    ['HotVCPUChange', 'False', { exact: true, intended: false }],
    ['HotVCPUChange', 'Unknown', { exact: true, intended: false }],
    ['HotMemoryChange', 'True', { exact: true, intended: true }],
    ['HotMemoryChange', 'False', { exact: false, intended: false }],
    ['MigrationRequired', 'True', { exact: true, intended: true }],
    ['MigrationRequired', 'False', { exact: false, intended: false }],
    ['VolumesChange', 'True', { exact: false, intended: false }],
    ['Ready', 'True', { exact: false, intended: false }],
  ])('hot-plug by %s %s (v1.9.0 takes HotVCPUChange by any status)', (type, status, expected) => {
    const one = vmi().condition(type, status).build();
    expect(isHotplugInProgress(one, 'exact')).toBe(expected.exact);
    expect(isHotplugInProgress(one, 'intended')).toBe(expected.intended);
  });

  it('looks at the first condition of a type', () => {
    const twice = hotplugged().condition('HotMemoryChange', 'False').build();
    const other = vmi().condition('HotMemoryChange', 'False').condition('HotMemoryChange', 'True').build();
    expect(isHotplugInProgress(twice, 'exact')).toBe(true);
    expect(isHotplugInProgress(other, 'exact')).toBe(false);
  });

  it.each([
    ['True', true],
    ['False', false],
  ])('volumes by VolumesChange %s', (status, expected) => {
    const one = vmi().condition('VolumesChange', status).build();
    expect(isVolumeUpdateInProgress(one)).toBe(expected);
    expect(isChangePending(one, 'exact')).toBe(expected);
  });

  it('is there by hot-plug too, and not without any', () => {
    expect(isChangePending(hotplugged().build(), 'intended')).toBe(true);
    expect(isChangePending(vmi().build(), 'exact')).toBe(false);
  });
});

describe('a change requires a migration', () => {
  it.each([
    ['a pending one', hotplugged(), true],
    ['volumes', vmi().condition('VolumesChange', 'True'), true],
    ['none', vmi(), false],
    ['while a migration is under way', hotplugged().migrationState(migrating), false],
    ['while an abort is asked for', hotplugged().annotated(ABORT, 'false'), false],
    ['of a VMI that has ended', hotplugged().phase('Failed'), false],
  ])('%s', (_, builder, expected) => {
    expect(requiresMigration(builder.build(), NOW, 'exact')).toBe(expected);
  });

  it('reads HotVCPUChange by behaviour', () => {
    const one = vmi().condition('HotVCPUChange', 'False').build();
    expect(requiresMigration(one, NOW, 'exact')).toBe(true);
    expect(requiresMigration(one, NOW, 'intended')).toBe(false);
  });
});

describe('a migration has lost its purpose', () => {
  const arrived = { targetNodeDomainReadyTimestamp: '2026-03-01T11:30:00Z' };
  it.each([
    ['the change is gone', vmi(), [own], true],
    ['the change is gone, and only a foreign migration is there', vmi(), [foreign], false],
    ['the change is gone, and a foreign migration stands before', vmi(), [foreign, own], true],
    ['no migration', vmi(), [], false],
    ['hot-plug is pending', hotplugged(), [own], false],
    ['volumes are pending', vmi().condition('VolumesChange', 'True'), [own], false],
    ['the guest has arrived', vmi().migrationState(arrived), [own], false],
    ['the guest has not arrived', vmi().migrationState(migrating), [own], true],
    ['an abort is asked for', hotplugged().annotated(ABORT), [own], true],
    ['an abort is asked for after the arrival', vmi().migrationState(arrived).annotated(ABORT), [own], true],
    ['an abort is asked for without a migration', vmi().annotated(ABORT), [], false],
    ['an abort of a foreign migration is asked for', vmi().annotated(ABORT), [foreign], false],
  ])('%s', (_, builder, unfinished, expected) => {
    expect(shouldAbort(builder.build(), unfinished, 'exact')).toBe(expected);
  });

  it('reads HotVCPUChange by behaviour', () => {
    const one = vmi().condition('HotVCPUChange', 'False').build();
    expect(shouldAbort(one, [own], 'exact')).toBe(false);
    expect(shouldAbort(one, [own], 'intended')).toBe(true);
  });

  it("tells the updater's own migrations in the given order", () => {
    const second = aMigration('second').workloadUpdate().build();
    expect(ownMigrations([foreign, second, own]).map(({ metadata }) => metadata.name)).toEqual([
      'second',
      'own',
    ]);
  });
});
