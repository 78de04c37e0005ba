import { describe, expect, it } from 'vitest';
import { aMigration, aPod } from '../../kubevirt/builders.ts';
import type { Migration } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { NOON } from './builders.ts';
import { applyStatusChange } from './status-change.ts';

const now = parseInstant(NOON) ?? 0;

describe('what is written', () => {
  const write = (migration: Migration, change: Parameters<typeof applyStatusChange>[1]) =>
    applyStatusChange(migration, change, now + 999, aPod('source').build());

  it('a new phase, with its time in whole seconds, behind those before', () => {
    const before = aMigration().reached('Pending', '2026-03-01T11:00:00Z').phase('Pending').build();
    expect(write(before, { phase: 'Scheduling', events: [] }).status).toEqual({
      phase: 'Scheduling',
      phaseTransitionTimestamps: [
        { phase: 'Pending', phaseTransitionTimestamp: '2026-03-01T11:00:00Z' },
        { phase: 'Scheduling', phaseTransitionTimestamp: NOON },
      ],
    });
    expect(before.status?.phase).toBe('Pending');
  });

  it('the pod that is left, while it is pending', () => {
    expect(write(aMigration().build(), { phase: 'Pending', events: [] }).status).toEqual({
      phase: 'Pending',
      phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: NOON }],
      migrationState: { sourcePod: 'source' },
    });
    const bare: Migration = { metadata: { name: 'm' } };
    expect(applyStatusChange(bare, { events: [] }, now, undefined).status).toEqual({});
    expect(
      applyStatusChange(aMigration().phase('Pending').build(), { events: [] }, now, undefined).status,
    ).toEqual({
      phase: 'Pending',
    });
  });

  it('conditions come and go', () => {
    const before = aMigration().phase('Scheduling').condition('a').condition('b').build();
    const added = { type: 'c', status: 'True' };
    const types = (change: Parameters<typeof applyStatusChange>[1]) =>
      write(before, change).status?.conditions?.map(({ type }) => type);
    expect(types({ events: [] })).toEqual(['a', 'b']);
    expect(types({ removeConditions: ['a', 'x'], events: [] })).toEqual(['b']);
    expect(types({ addCondition: added, events: [] })).toEqual(['a', 'b', 'c']);
    expect(
      write(aMigration().phase('Failed').build(), { addCondition: added, events: [] }).status?.conditions,
    ).toEqual([added]);
  });

  it('nothing new gives an equal object', () => {
    const before = aMigration().phase('Running').condition('a').build();
    expect(write(before, { events: [] })).toEqual(before);
  });

  it('the account of the VMI, and the finalizer goes', () => {
    const before = aMigration()
      .phase('Failed')
      .meta({ finalizers: ['mine', 'kubevirt.io/migrationJobFinalize'] })
      .build();
    const after = write(before, { migrationState: { failed: true }, removeFinalizer: true, events: [] });
    expect(after.status?.migrationState).toEqual({ failed: true });
    expect(after.metadata.finalizers).toEqual(['mine']);
    const bare = aMigration().phase('Failed').build();
    expect(write(bare, { removeFinalizer: true, events: [] }).metadata).toEqual(bare.metadata);
  });
});
