import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { migrationActionTable } from './actions.ts';
import { aSubject, MIGRATION, moving, ready, target, VMI } from './builders.ts';
import type { MigrationSubject } from './subject.ts';

const look = (given: MigrationSubject) => decide(migrationActionTable, given);
const plugged = () => aVmi().status({ volumeStatus: [{ name: 'v', hotplugVolume: {} }] });
const saving = () => aVmi().status({ changedBlockTracking: { backupStatus: {} } });
const critical = () => aMigration('m').priority('system-critical');
const busy = aVmi().migrationState({ migrationUid: 'uid-other' });
const other = aMigration('other').phase('Running').build();
const nothing = { action: 'Nothing' };

describe('what a pass does', () => {
  it.each([
    ['the VMI is gone', aSubject('Running', { vmi: undefined }), 'VmiGone', { action: 'DeleteMigration' }],
    ['the VMI is being deleted', aSubject('Pending', { vmi: aVmi().deleting() }), 'VmiBeingDeleted', nothing],
    [
      'the VMI has moved',
      aSubject('Running', { vmi: moving({ completed: true }) }),
      'FinishedOnVmi',
      nothing,
    ],
    [
      'another has the VMI',
      aSubject('Pending', { vmi: busy, stateOwner: other }),
      'AnotherMigrationHasVmi',
      nothing,
    ],
    ['new', aSubject(''), 'NothingToDo', nothing],
    ['pending', aSubject('Pending'), 'TargetPodWanted', { action: 'CreateTargetPod' }],
    [
      'pending, after another that is gone',
      aSubject('Pending', { vmi: busy }),
      'TargetPodWanted',
      { action: 'CreateTargetPod' },
    ],
    ['pending, the VMI has no pod', aSubject('Pending', { sourcePod: undefined }), 'SourcePodGone', nothing],
    [
      'pending, target pod made',
      aSubject('Pending', { targetPod: target().build() }),
      'TargetPodWatched',
      { action: 'WatchTargetPod' },
    ],
    [
      'pending, target pod ready',
      aSubject('Pending', { targetPod: ready().build() }),
      'TargetPodWatched',
      { action: 'WatchTargetPod' },
    ],
    [
      'pending, target pod ready, volumes plugged',
      aSubject('Pending', { targetPod: ready().build(), vmi: plugged() }),
      'TargetNeedsAttachmentPod',
      { action: 'CreateAttachmentPod' },
    ],
    [
      'pending, target pod not ready, volumes plugged',
      aSubject('Pending', { targetPod: target().build(), vmi: plugged() }),
      'TargetPodWatched',
      { action: 'WatchTargetPod' },
    ],
    [
      'pending, target pod ready, volumes attached',
      aSubject('Pending', { targetPod: ready().build(), vmi: plugged(), attachmentPod: aPod('hp').build() }),
      'TargetPodWatched',
      { action: 'WatchTargetPod' },
    ],
    [
      'scheduling, volumes plugged',
      aSubject('Scheduling', { targetPod: ready().build(), vmi: plugged() }),
      'TargetPodWatched',
      { action: 'WatchTargetPod' },
    ],
    ['scheduling, target pod gone', aSubject('Scheduling'), 'NothingToDo', nothing],
    ['held by a backup', aSubject('Pending', { vmi: saving() }), 'Held', nothing],
    [
      'critical, a backup runs',
      aSubject('Pending', { vmi: saving(), migration: critical() }),
      'BackupAborted',
      { action: 'AbortBackup' },
    ],
    [
      'critical, a backup runs with its volumes',
      aSubject('Pending', { vmi: saving().spec({ utilityVolumes: [{ name: 'b' }] }), migration: critical() }),
      'BackupAborted',
      { action: 'AbortBackup' },
    ],
    [
      'held by utility volumes',
      aSubject('Pending', { vmi: aVmi().spec({ utilityVolumes: [{ name: 'b' }] }) }),
      'Held',
      nothing,
    ],
    ['a backup, later', aSubject('Scheduled', { vmi: saving() }), 'NothingToDo', nothing],
    ['scheduled', aSubject('Scheduled', { targetPod: ready().build() }), 'HandOff', { action: 'HandOff' }],
    [
      'scheduled, target pod not ready',
      aSubject('Scheduled', { targetPod: target().build() }),
      'NothingToDo',
      nothing,
    ],
    [
      'scheduled, told by the VMI',
      aSubject('Scheduled', { targetPod: ready().build(), vmi: moving() }),
      'NothingToDo',
      nothing,
    ],
    [
      'preparing',
      aSubject('PreparingTarget', { targetPod: ready().build(), vmi: moving() }),
      'NothingToDo',
      nothing,
    ],
    ['running', aSubject('Running', { targetPod: ready().build(), vmi: moving() }), 'NothingToDo', nothing],
    ['finished', aSubject('Succeeded'), 'NothingToDo', nothing],
  ])('%s', (_, given, reason, result) => {
    expect(look(given)).toMatchObject({ reason, result });
  });

  it('before KubeVirt 1.9 a critical migration is held by a backup', () => {
    const settings = resolveSettings(undefined, { major: 1, minor: 8 });
    expect(look(aSubject('Pending', { vmi: saving(), migration: critical(), settings })).reason).toBe('Held');
  });
});

describe('evidence', () => {
  it('shows what each rule looked at', () => {
    const given = aSubject('Succeeded', { vmi: moving(), targetPod: ready().build() });
    const phase = { object: MIGRATION, path: 'status.phase', value: 'Succeeded' };
    const state = (name: string, value?: unknown) => ({
      object: VMI,
      path: `status.migrationState.${name}`,
      value,
    });
    const pod = { object: 'Pod shop/target', path: 'status.phase', value: 'Running' };
    const noAttachment = { object: MIGRATION, path: 'attachmentPod', value: undefined };
    const deletion = { object: MIGRATION, path: 'metadata.deletionTimestamp', value: undefined };
    const holds = [
      { object: VMI, path: 'status.changedBlockTracking.backupStatus', value: undefined },
      { object: VMI, path: 'spec.utilityVolumes', value: undefined },
    ];
    expect(traceOf(migrationActionTable, given).map((step) => [step.rule, step.evidence])).toEqual([
      ['VmiGone', [phase]],
      ['VmiBeingDeleted', [{ object: VMI, path: 'metadata.deletionTimestamp', value: undefined }]],
      ['FinishedOnVmi', [state('completed')]],
      ['AnotherMigrationHasVmi', [state('migrationUid', 'uid-m')]],
      ['CanceledWithTargetPod', [deletion, pod]],
      ['CanceledWithoutTargetPod', [deletion, pod]],
      ['TargetNeedsAttachmentPod', [pod, noAttachment]],
      ['TargetPodWatched', [pod]],
      ['Held', holds],
      ['BackupAborted', holds],
      ['SourcePodGone', [phase]],
      ['TargetPodWanted', [phase, pod]],
      ['HandOff', [pod, state('migrationUid', 'uid-m')]],
      ['FailedBeforeStart', [phase, pod, state('startTimestamp')]],
      ['CanceledWhileRunning', [deletion, state('abortRequested')]],
      ['NothingToDo', [phase]],
    ]);
  });

  it('shows nothing of a VMI that is gone', () => {
    const gone = aSubject('Running', { vmi: undefined });
    expect(migrationActionTable.map(({ reads }) => reads(gone).length)).toEqual([
      1, 0, 0, 0, 2, 2, 2, 1, 0, 0, 1, 2, 1, 2, 1, 1,
    ]);
  });
});
