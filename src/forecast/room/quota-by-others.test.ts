import { describe, expect, it } from 'vitest';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { drained } from '../others/test-after-others.ts';
import { poolBudget } from '../test-clusters.ts';

describe('a VM whose quota is used up', () => {
  const quota = (pods: number) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'quota' },
    spec: { hard: { pods: String(pods) } },
    status: { hard: { pods: String(pods) }, used: { pods: '2' } },
  });
  const moves: ScenarioVm = { name: 'moves', node: 'n1', migratable: true, strategy: 'LiveMigrate' };
  const beside = (change: Partial<ScenarioVm>) =>
    drained(
      [moves, { name: 'other', node: 'n1', migratable: 'No', strategy: 'None', ...change }],
      [quota(2)],
    ).get('moves');

  it('goes once one stays off', () => {
    expect(beside({ runStrategy: 'Manual' })).toMatchObject({
      outcome: 'LiveMigrates',
      reason: 'WaitsForRoom',
      message: expect.stringMatching(
        /^default\/moves is marked for evacuation and cannot migrate yet: exceeded quota: .*; it goes as soon as default\/other leaves room$/,
      ),
    });
  });

  it('may go once one is away that may come back first', () => {
    expect(beside({ runStrategy: 'RerunOnFailure' })).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'WaitsForRoom',
      message: expect.stringMatching(
        /; it goes as soon as default\/other leaves room that no other VM takes before it$/,
      ),
    });
  });

  it('may go while one is away that comes back', () => {
    const other: ScenarioVm = { ...moves, name: 'other', migratable: 'No', strategy: 'None' };
    const full = quota(3);
    full.status.used.pods = '3';
    expect(beside({})).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'QuotaExceeded',
      message: expect.stringMatching(
        / cannot migrate: exceeded quota: .*; should it take the place of default\/other while that is shut down, it goes$/,
      ),
    });
    expect(drained([moves, other, { ...other, name: 'third' }], [full]).get('moves')?.message).toMatch(
      /; should it take the place of default\/other, default\/third while those are shut down, it goes$/,
    );
    expect(beside({ strategy: 'External' })?.message).not.toContain('shut down');
  });

  it('may go where a budget lets another one stay off', () => {
    const labels = { pool: 'web' };
    const guarded = {
      ...moves,
      name: 'other',
      migratable: 'No',
      strategy: 'None',
      runStrategy: 'Manual',
      labels,
    } as const;
    const beside: ScenarioVm = {
      name: 'beside',
      node: 'n2',
      migratable: 'No',
      strategy: 'LiveMigrate',
      labels,
    };
    const budget = poolBudget({ minAvailable: 1 }, 'guard');
    const used = quota(3);
    used.status.used.pods = '3';
    expect(drained([moves, guarded, beside], [used, budget]).get('moves')).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'WaitsForRoom',
    });
  });

  it('may go where others try for ever', () => {
    const vms = [
      moves,
      { ...moves, name: 'nowhere', nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
      { ...moves, name: 'other', migratable: 'No', strategy: 'None', runStrategy: 'Manual' } as const,
    ];
    const full = quota(3);
    full.status.used.pods = '3';
    expect(drained(vms, [full]).get('moves')).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'WaitsForRoom',
    });
  });

  it('has none for its attachment pod either', () => {
    const one = (used: string, hotplugged: boolean) => {
      const full = quota(4);
      full.status.used.pods = used;
      return drained([{ ...moves, hotplugged }], [full]).get('moves');
    };
    expect(one('2', true)?.reason).toBe('Evacuates');
    expect(one('3', false)?.reason).toBe('Evacuates');
    expect(one('3', true)?.outcome).toBe('NeverCompletes');
  });

  it('waits for the attachment pod of a VM that a drain evicts', () => {
    const plugged: Partial<ScenarioVm> = { migratable: 'No', strategy: 'LiveMigrate', hotplugged: true };
    expect(beside(plugged)).toMatchObject({
      reason: 'WaitsForRoom',
      message: expect.stringMatching(
        /; it goes as soon as pod default\/hp-volume-other leaves room that no other VM takes before it$/,
      ),
    });
    expect(beside({ ...plugged, node: 'n2' })?.reason).toBe('QuotaExceeded');
  });

  it.each<[string, Partial<ScenarioVm>]>([
    [
      'moves',
      { migratable: true, strategy: 'LiveMigrate', nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
    ],
    ['is refused', { strategy: 'LiveMigrate' }],
  ])('does not wait for one that %s', (_, change) => {
    expect(beside(change)).toMatchObject({ outcome: 'NeverCompletes', reason: 'QuotaExceeded' });
  });
});
