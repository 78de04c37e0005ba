import { describe, expect, it, vi } from 'vitest';
import { aMigration, aVmi } from '../kubevirt/builders.ts';
import type { Migration, Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { Fleet } from './fleet.ts';
import { Rollout, type RolloutSettings } from './rollout.ts';
import { told } from './test-rollout.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const SECOND = 1000;
const SETTINGS: RolloutSettings = {
  launcherImage: 'v2',
  methods: ['LiveMigrate', 'Evict'],
  behavior: 'exact',
};
const secondsOn = (seconds: number) => new Date(NOW + seconds * SECOND).toISOString().replace('.000Z', 'Z');
const stale = (name = 'db') => aVmi(name).launcher('v1');

/** A fleet of these, and its roll-out. */
function rollout(vmis: { build(): Vmi }[] = [], migrations: { build(): Migration }[] = []) {
  const fleet = new Fleet();
  const applyVmi = (vmi: { build(): Vmi }) => fleet.apply('VirtualMachineInstance', vmi.build());
  const applyMigration = (migration: { build(): Migration }) =>
    fleet.apply('VirtualMachineInstanceMigration', migration.build());
  vmis.forEach(applyVmi);
  migrations.forEach(applyMigration);
  return { fleet, picture: new Rollout(fleet, SETTINGS, NOW), applyVmi, applyMigration };
}

describe('the roll-out of a fleet', () => {
  it('begins with what the fleet holds', () => {
    const { picture } = rollout(
      [stale('evict'), stale('migrate').migratable(), aVmi('abort').launcher('v2'), stale('waits')],
      [aMigration('own', 'abort').workloadUpdate(), aMigration('run', 'waits').phase('Running')],
    );
    expect(told(picture.survey(NOW))).toEqual({
      outdated: ['shop/evict', 'shop/migrate', 'shop/waits'],
      migratable: ['shop/migrate'],
      evictable: ['shop/evict'],
      abortable: ['shop/abort'],
      active: 1,
      pending: 1,
      refusedByQuota: 0,
      unfinished: { 'shop/abort': ['shop/own'], 'shop/waits': ['shop/run'] },
    });
  });

  it('follows a VMI from list to list, and out of all of them', () => {
    const { fleet, picture, applyVmi } = rollout();
    const lists = () => {
      const { outdated, migratable, evictable } = picture.survey(NOW);
      return [outdated, migratable, evictable].map((list) => list.length);
    };
    applyVmi(stale());
    expect(lists()).toEqual([1, 0, 1]);
    applyVmi(stale().migratable());
    expect(lists()).toEqual([1, 1, 0]);
    applyVmi(aVmi().launcher('v2').migratable());
    expect(lists()).toEqual([0, 0, 0]);
    applyVmi(stale().migratable());
    fleet.remove('VirtualMachineInstance', 'shop/db');
    expect(lists()).toEqual([0, 0, 0]);
  });

  it('follows the migrations of a VMI, also before the VMI comes', () => {
    const { fleet, picture, applyVmi, applyMigration } = rollout();
    const evictable = () => picture.survey(NOW).evictable.length;
    applyMigration(aMigration('a'));
    applyVmi(stale());
    expect(evictable()).toBe(0);
    applyMigration(aMigration('b').phase('Running'));
    applyMigration(aMigration('a').phase('Succeeded'));
    expect(evictable()).toBe(0);
    expect(told(picture.survey(NOW)).unfinished).toEqual({ 'shop/db': ['shop/b'] });
    fleet.remove('VirtualMachineInstanceMigration', 'shop/a');
    fleet.remove('VirtualMachineInstanceMigration', 'shop/b');
    expect(evictable()).toBe(1);
    expect(told(picture.survey(NOW))).toMatchObject({ active: 0, pending: 0, unfinished: {} });
  });

  it('gives its own lists, which change with the next event, without a look at the fleet', () => {
    const { fleet, picture, applyVmi } = rollout([stale()]);
    const all = vi.spyOn(fleet, 'all');
    const survey = picture.survey(NOW + SECOND);
    expect(survey.outdated).toBe(picture.survey(NOW + 2 * SECOND).outdated);
    applyVmi(stale('web'));
    expect(survey.outdated.map(keyOf)).toEqual(['shop/db', 'shop/web']);
    expect(all).not.toHaveBeenCalled();
  });

  it.each<[string, Partial<RolloutSettings>, string[], string[]]>([
    ['another image', { launcherImage: 'v1' }, ['shop/cpu'], ['shop/cpu']],
    ['another behaviour', { behavior: 'intended' }, ['shop/db'], ['shop/db']],
    ['fewer methods', { methods: ['LiveMigrate'] }, ['shop/cpu', 'shop/db'], []],
    ['as many methods', { methods: ['LiveMigrate', 'None'] }, ['shop/cpu', 'shop/db'], []],
  ])('looks at the fleet again for %s', (_, change, outdated, evictable) => {
    const withStatus = aVmi('cpu').launcher('v2').condition('HotVCPUChange', 'False');
    const { picture } = rollout([stale(), withStatus]);
    const both = ['shop/cpu', 'shop/db'];
    expect(told(picture.survey(NOW))).toMatchObject({ outdated: both, evictable: both });
    picture.configure({ ...SETTINGS, ...change });
    expect(told(picture.survey(NOW))).toMatchObject({ outdated, evictable });
  });

  it('does not look again for equal settings', () => {
    const { fleet, picture } = rollout([stale()]);
    const all = vi.spyOn(fleet, 'all');
    picture.configure({ ...SETTINGS, methods: [...SETTINGS.methods] });
    expect(all).not.toHaveBeenCalled();
  });
});

describe('time alone', () => {
  const evictableAt = (picture: Rollout, seconds: number) =>
    picture.survey(NOW + seconds * SECOND).evictable.map(keyOf);

  it('moves a VMI when its migration starts and when it ends, at the very instants', () => {
    const state = { startTimestamp: secondsOn(10), endTimestamp: secondsOn(20) };
    const { fleet, picture } = rollout([stale().migrationState(state), stale('web')]);
    const all = vi.spyOn(fleet, 'all');
    expect(evictableAt(picture, 9.999)).toEqual(['shop/db', 'shop/web']);
    expect(evictableAt(picture, 10)).toEqual(['shop/web']);
    expect(evictableAt(picture, 19.999)).toEqual(['shop/web']);
    expect(evictableAt(picture, 20)).toEqual(['shop/web', 'shop/db']);
    expect(all).not.toHaveBeenCalled();
  });

  it('moves one VMI after another', () => {
    const { picture } = rollout(
      [30, 10, 20].map((end) =>
        stale(`db${end}`).migrationState({ startTimestamp: secondsOn(0), endTimestamp: secondsOn(end) }),
      ),
    );
    expect(evictableAt(picture, 0)).toEqual([]);
    expect(evictableAt(picture, 10)).toEqual(['shop/db10']);
    expect(evictableAt(picture, 25)).toEqual(['shop/db10', 'shop/db20']);
    expect(evictableAt(picture, 30)).toEqual(['shop/db10', 'shop/db20', 'shop/db30']);
  });

  it('counts from the last reading for a VMI that comes later, and forgets one that goes', () => {
    const { fleet, picture, applyVmi } = rollout();
    picture.survey(NOW + 60 * SECOND);
    applyVmi(stale().migrationState({ startTimestamp: secondsOn(50), endTimestamp: secondsOn(70) }));
    applyVmi(stale('web').migrationState({ startTimestamp: secondsOn(50), endTimestamp: secondsOn(70) }));
    fleet.remove('VirtualMachineInstance', 'shop/web');
    expect(evictableAt(picture, 60)).toEqual([]);
    expect(evictableAt(picture, 70)).toEqual(['shop/db']);
  });

  it('may go back, at the cost of a look at every VMI', () => {
    const { picture } = rollout([stale().migrationState({ startTimestamp: secondsOn(10) })]);
    expect(evictableAt(picture, 10)).toEqual([]);
    expect(evictableAt(picture, 5)).toEqual(['shop/db']);
    expect(evictableAt(picture, 10)).toEqual([]);
  });
});
