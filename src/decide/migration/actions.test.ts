import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { migrationActionTable } from './actions.ts';
import { aSubject, MIGRATION, moving, NOON, ours, target, VMI } from './builders.ts';
import { cancelEvent, failedBeforeStart } from './cancel.ts';
import type { MigrationSubject } from './subject.ts';

const look = (given: MigrationSubject) => decide(migrationActionTable, given);
const ready = () => target().ready();
const deleted = () => aMigration('m').deleting();
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

describe('canceling', () => {
  it.each(['Pending', 'Scheduling', 'Scheduled'])('in %s, deletes the target pod', (phase) => {
    const given = aSubject(phase, { migration: deleted(), targetPod: ready().build() });
    expect(look(given)).toEqual({
      reason: 'CanceledWithTargetPod',
      evidence: [
        { object: MIGRATION, path: 'metadata.deletionTimestamp', value: '2026-03-01T11:59:00Z' },
        { object: 'Pod shop/target', path: 'status.phase', value: 'Running' },
      ],
      result: {
        action: 'DeleteTargetPod',
        afterDeletion: {
          kind: 'VirtualMachineInstanceMigration',
          namespace: 'shop',
          name: 'm',
          type: 'Normal',
          reason: 'SuccessfulDelete',
          message: 'migration canceled and pod shop/target is deleted',
        },
      },
    });
  });

  it('without a target pod does nothing', () => {
    expect(look(aSubject('Pending', { migration: deleted() }))).toMatchObject({
      reason: 'CanceledWithoutTargetPod',
      result: nothing,
    });
    expect(cancelEvent(aSubject('Pending')).message).toBe('migration canceled and pod  is deleted');
  });

  it('after the hand-off waits until it runs', () => {
    const given = { migration: deleted(), targetPod: ready().build() };
    expect(look(aSubject('Scheduled', { ...given, vmi: moving() })).reason).toBe('NothingToDo');
    expect(look(aSubject('Scheduled', { ...given, handedOff: true })).reason).toBe('NothingToDo');
    expect(look(aSubject('PreparingTarget', { ...given, vmi: moving() })).reason).toBe('NothingToDo');
    expect(look(aSubject('TargetReady', { ...given, vmi: moving() })).reason).toBe('NothingToDo');
  });

  it('while it runs, asks the source node once', () => {
    const given = { migration: deleted(), targetPod: ready().build() };
    expect(look(aSubject('Running', { ...given, vmi: moving({ startTimestamp: NOON }) }))).toEqual({
      reason: 'CanceledWhileRunning',
      evidence: [
        { object: MIGRATION, path: 'metadata.deletionTimestamp', value: '2026-03-01T11:59:00Z' },
        { object: VMI, path: 'status.migrationState.abortRequested', value: undefined },
      ],
      result: {
        action: 'PatchState',
        state: ours({ startTimestamp: NOON, abortRequested: true }),
        event: {
          kind: 'VirtualMachineInstanceMigration',
          namespace: 'shop',
          name: 'm',
          type: 'Normal',
          reason: 'SuccessfulAbortMigration',
          message: 'Migration is ready to be canceled by virt-handler.',
        },
      },
    });
    expect(look(aSubject('Running', { ...given, vmi: moving({ abortRequested: true }) })).reason).toBe(
      'NothingToDo',
    );
    expect(look(aSubject('Running', given)).reason).toBe('NothingToDo');
  });
});

describe('a target that is gone before the start', () => {
  const ended = { startTimestamp: NOON, endTimestamp: NOON, failed: true, completed: true };
  const event = {
    kind: 'VirtualMachineInstance',
    namespace: 'shop',
    name: 'db',
    type: 'Warning',
    reason: 'FailedMigration',
    message: 'VirtualMachineInstance migration uid uid-m failed. reason: Target pod is down',
  };

  it.each([
    ['PreparingTarget', undefined],
    ['TargetReady', undefined],
    ['Failed', undefined],
    ['Failed', target().phase('Succeeded').build()],
  ])('%s, pod %j: is told by the VMI', (phase, targetPod) => {
    const vmi = moving({ targetNode: 'n2', targetDirectMigrationNodePorts: {} });
    expect(look(aSubject(phase, { vmi, targetPod }))).toMatchObject({
      reason: 'FailedBeforeStart',
      result: {
        action: 'PatchState',
        state: { migrationUid: 'uid-m', targetNode: 'n2', ...ended, failureReason: 'Target pod is down' },
        event,
      },
    });
  });

  it('keeps a reason that is there, not an empty one', () => {
    const reasonAfter = (failureReason: string) =>
      failedBeforeStart(aSubject('Failed', { vmi: moving({ failureReason }) })).state.failureReason;
    expect(reasonAfter('worse')).toBe('worse');
    expect(reasonAfter('')).toBe('Target pod is down');
  });

  it('tells it on the migration where there is no VMI', () => {
    expect(failedBeforeStart(aSubject('Failed', { vmi: undefined })).event).toEqual({ ...event, name: 'm' });
  });

  it.each([
    ['the target pod is there', { vmi: moving(), targetPod: ready().build() }],
    ['the target listens', { vmi: moving({ targetDirectMigrationNodePorts: { '38001': 49152 } }) }],
    ['the copy has started', { vmi: moving({ startTimestamp: NOON }) }],
    ['it is told already', { vmi: moving({ failed: true }) }],
    ['it is over by an account of nobody', { vmi: aVmi().migrationState({ completed: true }) }],
    ['the VMI tells of nothing', {}],
  ])('is not told when %s', (_, change) => {
    expect(look(aSubject('Failed', change)).reason).toBe('NothingToDo');
  });

  it.each(['Running', 'Succeeded', 'Scheduled'])('is not told in %s', (phase) => {
    expect(look(aSubject(phase, { vmi: moving() })).reason).toBe('NothingToDo');
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
