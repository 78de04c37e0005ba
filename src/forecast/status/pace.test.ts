import { describe, expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { type LeftInput, paceOf, secondsLeft } from './pace.ts';

const NOW = 1_772_366_400_000;
const agoAt = (seconds: number): string => formatInstant(NOW - seconds * 1000);

/** A fleet in which migrations succeeded so many seconds ago. */
function fleetWith(...endedAgo: number[]): Fleet {
  const fleet = new Fleet();
  for (const [i, seconds] of endedAgo.entries())
    fleet.apply('VirtualMachineInstanceMigration', succeeded(`m${i}`, seconds));
  return fleet;
}

const succeeded = (name: string, ago: number) =>
  aMigration(name)
    .meta({ uid: `uid-${name}` })
    .phase('Succeeded')
    .status({ phaseTransitionTimestamps: [{ phase: 'Succeeded', phaseTransitionTimestamp: agoAt(ago) }] })
    .build();

describe('the pace of a roll-out', () => {
  it('is what succeeded over the time since the first of them', () => {
    expect(paceOf(fleetWith(240, 120, 60), NOW)).toEqual({
      migrations: 3,
      perMinute: 0.5,
      since: agoAt(240),
    });
  });

  it.each([
    ['nothing has succeeded', []],
    ['one has', [60]],
    ['all but one are of another time', [3_600, 60]],
    ['they are of the future', [-1, -2]],
    ['all are of this very moment', [0, 0]],
  ])('is not known where %s', (_, ago) => {
    expect(paceOf(fleetWith(...ago), NOW)).toBeUndefined();
  });

  it('is of the last hour, and of the newest 20', () => {
    expect(paceOf(fleetWith(3_599, 1_200), NOW)).toMatchObject({ migrations: 2, since: agoAt(3_599) });
    const many = Array.from({ length: 25 }, (_, i) => (i + 1) * 60);
    expect(paceOf(fleetWith(...many), NOW)).toEqual({
      migrations: 20,
      perMinute: 19 / 20,
      since: agoAt(1_200),
    });
  });

  it('takes failed and unfinished migrations for nothing', () => {
    const fleet = fleetWith(120, 60);
    fleet.apply('VirtualMachineInstanceMigration', aMigration('f').phase('Failed').build());
    fleet.apply('VirtualMachineInstanceMigration', aMigration('r').phase('Running').build());
    expect(paceOf(fleet, NOW)).toMatchObject({ migrations: 2 });
  });

  it('takes the time of the migration state where there is no other', () => {
    const fleet = fleetWith(120);
    const ended = aMigration('old')
      .phase('Succeeded')
      .status({ migrationState: { endTimestamp: agoAt(60) } });
    fleet.apply('VirtualMachineInstanceMigration', ended.build());
    expect(paceOf(fleet, NOW)).toMatchObject({ migrations: 2, since: agoAt(120) });
  });

  it('knows from VMIs of migrations that are gone, and counts none twice', () => {
    const fleet = fleetWith(120, 60);
    const state = { completed: true, endTimestamp: agoAt(30) };
    fleet.apply(
      'VirtualMachineInstance',
      aVmi('a')
        .migrationState({ ...state, migrationUid: 'uid-m0' })
        .build(),
    );
    expect(paceOf(fleet, NOW)).toMatchObject({ migrations: 2, since: agoAt(120) });
    fleet.apply(
      'VirtualMachineInstance',
      aVmi('b')
        .migrationState({ ...state, migrationUid: 'gone' })
        .build(),
    );
    expect(paceOf(fleet, NOW)).toMatchObject({ migrations: 3 });
    const failed = { ...state, failed: true, migrationUid: 'failed' };
    fleet.apply('VirtualMachineInstance', aVmi('c').migrationState(failed).build());
    const open = { ...state, completed: false, migrationUid: 'open' };
    fleet.apply('VirtualMachineInstance', aVmi('d').migrationState(open).build());
    expect(paceOf(fleet, NOW)).toMatchObject({ migrations: 3 });
  });
});

describe('the time that is left', () => {
  const pace = { migrations: 5, perMinute: 2, since: agoAt(60) };
  const nothing: LeftInput = {
    migrations: 0,
    evictions: 0,
    pace: undefined,
    batchSize: 10,
    batchIntervalSeconds: 60,
  };

  it.each<[string, Partial<LeftInput>, number | undefined]>([
    ['nothing', {}, 0],
    ['migrations without a pace', { migrations: 1 }, undefined],
    ['migrations', { migrations: 5, pace }, 150],
    ['a part of a second, rounded up', { migrations: 1, pace: { ...pace, perMinute: 7 } }, 9],
    ['one batch', { evictions: 10 }, 60],
    ['two batches', { evictions: 11 }, 120],
    ['both, beside each other: migrations take longer', { migrations: 5, pace, evictions: 11 }, 150],
    ['both, beside each other: batches take longer', { migrations: 5, pace, evictions: 21 }, 180],
    ['no batch at all', { evictions: 2, batchSize: 0 }, 120],
  ])('%s', (_, change, seconds) => {
    expect(secondsLeft({ ...nothing, ...change })).toBe(seconds);
  });
});
