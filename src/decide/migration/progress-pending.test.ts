import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { aSubject, failureEvent, MIGRATION, moving, NOON, ready, target, VMI } from './builders.ts';
import { migrationStatusTable } from './phases.ts';
import type { MigrationSubject } from './subject.ts';

const look = (given: MigrationSubject) => decide(migrationStatusTable, given);
const failedWith = (message: string) => ({ phase: 'Failed', events: [failureEvent(message)] });

describe('a new migration', () => {
  const other = aMigration('other').phase('Running').build();
  const busy = aVmi().migrationState({ migrationUid: 'uid-other' });

  it.each([
    ['no account', {}],
    ['an account of ours', { vmi: moving() }],
    ['an account of nobody', { vmi: aVmi().migrationState({}) }],
    ['an account of an empty UID', { vmi: aVmi().migrationState({ migrationUid: '' }) }],
    ['an account of one that is gone', { vmi: busy }],
    ['an account of one that failed', { vmi: busy, stateOwner: aMigration('other').phase('Failed').build() }],
  ])('is queued; %s', (_, change) => {
    expect(look(aSubject('', change))).toMatchObject({
      reason: 'Queued',
      result: { phase: 'Pending', events: [] },
    });
  });

  it('fails while another has the VMI', () => {
    expect(look(aSubject('', { vmi: busy, stateOwner: other }))).toMatchObject({
      reason: 'AnotherMigrationHasVmi',
      result: failedWith('VMI is not eligible for migration because another migration job is in progress.'),
      evidence: [
        { object: VMI, path: 'status.migrationState.migrationUid', value: 'uid-other' },
        { object: 'VirtualMachineInstanceMigration shop/other', path: 'status.phase', value: 'Running' },
      ],
    });
  });
});

describe('a pending migration', () => {
  const UNBLOCKED = ['migrationBlockedByBackup', 'migrationBlockedByUtilityVolumes'];
  const backup = { changedBlockTracking: { backupStatus: { backupName: 'b' } } };
  const saving = () => aVmi().status(backup);
  const critical = aMigration('m').priority('system-critical').createdAt(NOON);

  it('waits for its target', () => {
    expect(look(aSubject('Pending'))).toMatchObject({
      reason: 'WaitsForTarget',
      result: { removeConditions: UNBLOCKED, events: [] },
      evidence: [
        { object: MIGRATION, path: 'status.phase', value: 'Pending' },
        { object: MIGRATION, path: 'targetPod', value: undefined },
      ],
    });
  });

  it('goes on with a target pod, ready or not', () => {
    for (const pod of [target(), ready(), target().phase('Pending')]) {
      expect(look(aSubject('Pending', { targetPod: pod.build() }))).toMatchObject({
        reason: 'TargetPodExists',
        result: { phase: 'Scheduling', removeConditions: UNBLOCKED, events: [] },
      });
    }
  });

  it.each([
    ['a volume plugged in', aVmi().status({ volumeStatus: [{ name: 'v', hotplugVolume: {} }] })],
    [
      'a pluggable claim',
      aVmi().spec({
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }],
      }),
    ],
    [
      'a pluggable data volume',
      aVmi().spec({ volumes: [{ name: 'v', dataVolume: { name: 'c', hotpluggable: true } }] }),
    ],
  ])('with %s, goes on only with a ready attachment pod', (_, vmi) => {
    const pods = (attachmentPod?: ReturnType<typeof target>) =>
      look(aSubject('Pending', { vmi, targetPod: ready().build(), attachmentPod: attachmentPod?.build() }))
        .reason;
    expect(pods()).toBe('WaitsForTarget');
    expect(pods(aPod('hp-volume-1'))).toBe('WaitsForTarget');
    expect(pods(aPod('hp-volume-1').ready())).toBe('TargetPodExists');
    expect(pods(aPod('hp-volume-1').ready().deleting())).toBe('WaitsForTarget');
  });

  it('needs no attachment pod for volumes that are not plugged', () => {
    const vmi = aVmi()
      .status({ volumeStatus: [{ name: 'v' }] })
      .spec({
        volumes: [
          { name: 'v', dataVolume: { name: 'c' } },
          { name: 'w', persistentVolumeClaim: { claimName: 'c', hotpluggable: false } },
        ],
      });
    expect(look(aSubject('Pending', { vmi, targetPod: ready().build() })).reason).toBe('TargetPodExists');
  });

  it('is held by a backup', () => {
    expect(look(aSubject('Pending', { vmi: saving() }))).toMatchObject({
      reason: 'HeldByBackup',
      result: {
        addCondition: { type: 'migrationBlockedByBackup', status: 'True', reason: 'BackupInProgress' },
        events: [],
      },
      evidence: [
        { object: VMI, path: 'status.changedBlockTracking.backupStatus', value: { backupName: 'b' } },
        { object: MIGRATION, path: 'spec.priority', value: undefined },
      ],
    });
    const told = aMigration('m').condition('migrationBlockedByBackup');
    expect(look(aSubject('Pending', { vmi: saving(), migration: told })).result).toEqual({ events: [] });
  });

  it('is not held by a backup that is completed, nor when it overrides it', () => {
    const done = aVmi().status({ changedBlockTracking: { backupStatus: { completed: true } } });
    expect(look(aSubject('Pending', { vmi: done })).reason).toBe('WaitsForTarget');
    expect(look(aSubject('Pending', { vmi: saving(), migration: critical })).reason).toBe('WaitsForTarget');
  });

  it('overrides no backup before KubeVirt 1.9', () => {
    const old = resolveSettings(undefined, { major: 1, minor: 8 });
    expect(look(aSubject('Pending', { vmi: saving(), migration: critical, settings: old })).reason).toBe(
      'HeldByBackup',
    );
  });

  describe('with utility volumes', () => {
    const vmi = aVmi().spec({ utilityVolumes: [{ name: 'backup' }] });
    const made = (timestamp: string | undefined) => aMigration('m').meta({ creationTimestamp: timestamp });

    it('is held', () => {
      expect(look(aSubject('Pending', { vmi, migration: made(NOON) }))).toMatchObject({
        reason: 'HeldByUtilityVolumes',
        result: { addCondition: { type: 'migrationBlockedByUtilityVolumes', status: 'True' }, events: [] },
        evidence: [
          { object: VMI, path: 'spec.utilityVolumes', value: [{ name: 'backup' }] },
          { object: MIGRATION, path: 'metadata.creationTimestamp', value: NOON },
        ],
      });
    });

    it.each([
      ['149 s', '2026-03-01T11:57:31Z', 'HeldByUtilityVolumes'],
      ['150 s', '2026-03-01T11:57:30Z', 'UtilityVolumesStayedTooLong'],
      ['an unknown time', undefined, 'HeldByUtilityVolumes'],
    ])('after %s: %s', (_, timestamp, reason) => {
      expect(look(aSubject('Pending', { vmi, migration: made(timestamp) })).reason).toBe(reason);
    });

    it('fails without a word when they stay too long', () => {
      const given = aSubject('Pending', { vmi, migration: made('2026-03-01T11:00:00Z') });
      expect(look(given).result).toEqual({ phase: 'Failed', events: [] });
    });

    it('is not held by an empty list', () => {
      expect(look(aSubject('Pending', { vmi: aVmi().spec({ utilityVolumes: [] }) })).reason).toBe(
        'WaitsForTarget',
      );
    });
  });

  it('notes a quota that leaves no room', () => {
    const creationError = 'pods "virt-launcher-db" is forbidden: exceeded quota: q';
    expect(look(aSubject('Pending', { creationError }))).toMatchObject({
      reason: 'RejectedByQuota',
      result: {
        addCondition: { type: 'migrationRejectedByResourceQuota', status: 'True' },
        removeConditions: UNBLOCKED,
        events: [],
      },
      evidence: [{ object: MIGRATION, path: 'targetPod', value: creationError }],
    });
    expect(look(aSubject('Pending', { creationError: 'etcd is away' })).reason).toBe('WaitsForTarget');
    expect(look(aSubject('Pending', { creationError, targetPod: ready().build() })).reason).toBe(
      'TargetPodExists',
    );
  });
});
