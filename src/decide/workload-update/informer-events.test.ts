import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Behavior } from '../rules.ts';
import { decide } from '../rules.ts';
import { type InformerEvent, informerTable, kubevirtKey } from './informer-events.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const KEY = 'kubevirt/kubevirt';
const ENQUEUED = { enqueue: { key: KEY, afterSeconds: 5 } };
type Change = InformerEvent['change'];

const handle = (event: InformerEvent, kubevirtKeys: string[] = [KEY], behavior: Behavior = 'exact') =>
  decide(informerTable, { event, kubevirtKeys, now: NOW, behavior });
const ofVmi = (vmi: ReturnType<typeof aVmi>, change: Change = 'update'): InformerEvent => ({
  kind: 'VirtualMachineInstance',
  change,
  object: vmi.build(),
});
const ofMigration = (migration: ReturnType<typeof aMigration>, change: Change): InformerEvent => ({
  kind: 'VirtualMachineInstanceMigration',
  change,
  object: migration.build(),
});
const ofKubeVirt = (change: Change, finalStateUnknown = false): InformerEvent => ({
  kind: 'KubeVirt',
  change,
  finalStateUnknown,
  object: aKubeVirt('other', 'x').build(),
});

describe('an event of a KubeVirt CR', () => {
  const itself = { enqueue: { key: 'x/other', afterSeconds: 5 } };

  it.each(['add', 'update', 'delete'] as const)(
    '(%s) queues the CR itself, however many there are',
    (change) => {
      for (const keys of [[], [KEY], [KEY, 'x/other']]) {
        expect(handle(ofKubeVirt(change), keys)).toEqual({
          result: itself,
          reason: 'KubeVirtChanged',
          evidence: [{ object: 'KubeVirt x/other', path: 'metadata.name', value: 'other' }],
        });
      }
    },
  );

  it('whose deletion was missed is lost on v1.9.0', () => {
    const missed = ofKubeVirt('delete', true);
    expect(handle(missed).result).toEqual({});
    expect(handle(missed).reason).toBe('KubeVirtDeletionMissed');
    expect(handle(missed, [KEY], 'intended')).toMatchObject({ result: itself, reason: 'KubeVirtChanged' });
  });
});

describe('an event of a migration', () => {
  it('that the updater made, once it is there, is an observed creation', () => {
    expect(handle(ofMigration(aMigration().workloadUpdate(), 'add'))).toEqual({
      result: { ...ENQUEUED, observedFor: KEY },
      reason: 'OwnMigrationAdded',
      evidence: [
        { object: 'VirtualMachineInstanceMigration shop/move-1', path: 'metadata.name', value: 'move-1' },
      ],
    });
  });

  it.each<[string, ReturnType<typeof aMigration>, Change]>([
    ['added by someone else', aMigration().evacuation(), 'add'],
    ['changed', aMigration().workloadUpdate(), 'update'],
    ['deleted', aMigration().workloadUpdate(), 'delete'],
  ])('%s queues a pass', (_, migration, change) => {
    expect(handle(ofMigration(migration, change))).toMatchObject({
      result: ENQUEUED,
      reason: 'MigrationChanged',
    });
  });

  it('whose deletion was missed queues a pass', () => {
    expect(handle({ ...ofMigration(aMigration(), 'delete'), finalStateUnknown: true }).result).toEqual(
      ENQUEUED,
    );
  });

  it.each([[[]], [[KEY, 'x/other']]])('is dropped with the CRs %j', (keys) => {
    expect(handle(ofMigration(aMigration().workloadUpdate(), 'add'), keys)).toEqual({
      result: {},
      reason: 'NoSingleKubeVirt',
      evidence: [{ object: 'KubeVirt', path: 'metadata.name', value: keys }],
    });
  });
});

describe('an event of a VMI', () => {
  const changing = () => aVmi('db').condition('HotMemoryChange', 'True');
  const migrating = { startTimestamp: '2026-03-01T11:59:00Z' };

  it.each<[string, InformerEvent, string, object]>([
    ['added', ofVmi(changing(), 'add'), 'VmiNotUpdated', {}],
    ['deleted', ofVmi(changing(), 'delete'), 'VmiNotUpdated', {}],
    ['that has ended', ofVmi(changing().phase('Failed')), 'VmiFinal', {}],
    ['without a pending change', ofVmi(aVmi('db').outdated()), 'VmiWithoutChange', {}],
    ['that migrates', ofVmi(changing().migrationState(migrating)), 'VmiMigrating', {}],
    ['with a hot-plug', ofVmi(changing()), 'VmiChangePending', ENQUEUED],
    [
      'with volumes to move',
      ofVmi(aVmi('db').condition('VolumesChange', 'True')),
      'VmiChangePending',
      ENQUEUED,
    ],
  ])('%s: %s', (_, event, reason, result) => {
    expect(handle(event)).toMatchObject({ reason });
    expect(handle(event).result).toEqual(result);
  });

  it.each([[[]], [[KEY, 'x/other']]])('is dropped with the CRs %j', (keys) => {
    expect(handle(ofVmi(changing()), keys)).toMatchObject({ result: {}, reason: 'NoSingleKubeVirt' });
  });

  it('reads hot-plug by behaviour and the migration by time', () => {
    const event = ofVmi(aVmi('db').condition('HotVCPUChange', 'False'));
    expect(handle(event, [KEY], 'exact').reason).toBe('VmiChangePending');
    expect(handle(event, [KEY], 'intended').reason).toBe('VmiWithoutChange');
    const later = ofVmi(changing().migrationState({ startTimestamp: '2026-03-01T12:00:01Z' }));
    expect(handle(later).reason).toBe('VmiChangePending');
  });

  it('tells what it looked at', () => {
    const about = (path: string, value: unknown) => ({
      object: 'VirtualMachineInstance shop/db',
      path,
      value,
    });
    expect(handle(ofVmi(changing(), 'add')).evidence).toEqual([about('metadata.name', 'db')]);
    expect(handle(ofVmi(changing().phase('Failed'))).evidence).toEqual([about('status.phase', 'Failed')]);
    expect(handle(ofVmi(aVmi('db'))).evidence).toEqual([about('status.conditions', undefined)]);
    expect(handle(ofVmi(changing())).evidence).toEqual([
      about('status.conditions', ['HotMemoryChange=True']),
    ]);
    expect(handle(ofVmi(changing().migrationState(migrating))).evidence).toEqual([
      about('status.migrationState.startTimestamp', '2026-03-01T11:59:00Z'),
      about('status.migrationState.endTimestamp', undefined),
    ]);
    const ended = { startTimestamp: '2026-03-01T11:00:00Z', endTimestamp: '2026-03-01T13:00:00Z' };
    expect(handle(ofVmi(changing().migrationState(ended))).evidence).toContainEqual(
      about('status.migrationState.endTimestamp', '2026-03-01T13:00:00Z'),
    );
  });
});

describe('the key that passes are for', () => {
  it.each([
    [[], {}],
    [['a/b'], { key: 'a/b' }],
    [['a/b', 'c/d'], { error: 'more than one KubeVirt custom resource detected: 2' }],
  ])('of the CRs %j is %j', (keys, expected) => {
    expect(kubevirtKey(keys)).toStrictEqual(expected);
  });
});
