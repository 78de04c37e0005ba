import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { aSubject, failureEvent, moving, ours, ready, target } from './builders.ts';
import { migrationStatusTable } from './phases.ts';
import type { MigrationSubject } from './subject.ts';

const look = (given: MigrationSubject) => decide(migrationStatusTable, given);
const failedWith = (message: string) => ({ phase: 'Failed', events: [failureEvent(message)] });
const deleted = () => aMigration('m').deleting();
const aborted = () => deleted().condition('migrationAbortRequested');

describe('a migration fails', () => {
  const GONE = 'Migration target pod was removed during active migration.';
  const down = aPod('target').phase('Failed').build();

  it.each([
    [
      'the VMI is gone',
      aSubject('Running', { vmi: undefined }),
      'VmiGone',
      'Migration failed because vmi does not exist.',
    ],
    [
      'the VMI has ended',
      aSubject('Running', { vmi: moving().phase('Succeeded') }),
      'VmiFinal',
      'Migration failed vmi shutdown during migration.',
    ],
    [
      'the VMI has failed',
      aSubject('Pending', { vmi: aVmi().phase('Failed') }),
      'VmiFinal',
      'Migration failed vmi shutdown during migration.',
    ],
    [
      'the target pod has failed',
      aSubject('Scheduling', { targetPod: down }),
      'TargetPodDown',
      'Migration failed because target pod shutdown during migration',
    ],
    [
      'the target pod has ended',
      aSubject('Running', { vmi: moving(), targetPod: target().phase('Succeeded').build() }),
      'TargetPodDown',
      'Migration failed because target pod shutdown during migration',
    ],
    ['the target pod is gone, Scheduling', aSubject('Scheduling'), 'TargetPodGone', GONE],
    ['the target pod is gone, Scheduled', aSubject('Scheduled'), 'TargetPodGone', GONE],
    [
      'the target pod is gone, PreparingTarget',
      aSubject('PreparingTarget', { vmi: moving() }),
      'TargetPodGone',
      GONE,
    ],
    [
      'the target pod is gone, TargetReady',
      aSubject('TargetReady', { vmi: moving() }),
      'TargetPodGone',
      GONE,
    ],
    ['the target pod is gone, Running', aSubject('Running', { vmi: moving() }), 'TargetPodGone', GONE],
    [
      'the account was cleared',
      aSubject('PreparingTarget', { targetPod: ready().build() }),
      'StateCleared',
      "VMI's migration state was cleared during the active migration.",
    ],
    [
      'another took over',
      aSubject('Running', {
        targetPod: ready().build(),
        vmi: aVmi().migrationState({ migrationUid: 'other' }),
      }),
      'StateTakenOver',
      "VMI's migration state was taken over by another migration job during active migration.",
    ],
    [
      'the account has no UID',
      aSubject('TargetReady', { targetPod: ready().build(), vmi: aVmi().migrationState({}) }),
      'StateTakenOver',
      "VMI's migration state was taken over by another migration job during active migration.",
    ],
    [
      'the source says so',
      aSubject('Running', { targetPod: ready().build(), vmi: moving({ failed: true, completed: true }) }),
      'FailedOnNode',
      'source node reported migration failed',
    ],
    [
      'the source says so of one that was not seen to be handed off',
      aSubject('Scheduled', { targetPod: ready().build(), vmi: moving({ failed: true }) }),
      'FailedOnNode',
      'source node reported migration failed',
    ],
    [
      'the attachment pod has ended',
      aSubject('Scheduling', {
        targetPod: ready().build(),
        attachmentPod: aPod('hp-volume-1').phase('Failed').build(),
      }),
      'AttachmentPodDown',
      'Migration failed because target attachment pod shutdown during migration',
    ],
  ])('%s', (_, given, reason, message) => {
    expect(look(given)).toMatchObject({ reason, result: failedWith(message) });
  });

  it.each(['Pending', 'Scheduling', 'Scheduled', ''])(
    'deleted before it was handed off, in phase "%s"',
    (phase) => {
      const given = aSubject(phase, { migration: deleted(), targetPod: ready().build() });
      expect(look(given)).toMatchObject({
        reason: 'CanceledBeforeHandOff',
        result: {
          ...failedWith('Migration failed due to being canceled'),
          addCondition: { type: 'migrationAbortRequested', status: 'True' },
        },
      });
    },
  );

  it('the abort is noted once', () => {
    expect(look(aSubject('Pending', { migration: aborted() })).result).toEqual(
      failedWith('Migration failed due to being canceled'),
    );
  });

  it('deleted after it was handed off, it only notes the abort', () => {
    const handedOff = { targetPod: ready().build(), migration: deleted() };
    const noted = { addCondition: { type: 'migrationAbortRequested', status: 'True' }, events: [] };
    expect(look(aSubject('Running', { ...handedOff, vmi: moving() }))).toMatchObject({
      reason: 'AbortNoted',
      result: noted,
    });
    expect(look(aSubject('Scheduled', { ...handedOff, handedOff: true })).reason).toBe('AbortNoted');
    expect(look(aSubject('Scheduled', { ...handedOff, vmi: moving() })).reason).toBe('AbortNoted');
    expect(look(aSubject('Running', { ...handedOff, migration: aborted(), vmi: moving() })).reason).toBe(
      'Copying',
    );
  });

  it('a target pod not made yet is no loss', () => {
    expect(look(aSubject('Pending')).reason).toBe('WaitsForTarget');
  });

  it('the end of a source VMI in another cluster is no failure', () => {
    const sending = aMigration('m').spec({ sendTo: {} });
    const ended = aVmi().phase('Succeeded');
    expect(look(aSubject('Scheduling', { migration: sending, vmi: ended })).reason).toBe('Decentralized');
    const receiving = aMigration('m').spec({ receive: {} });
    expect(look(aSubject('Scheduling', { migration: receiving, vmi: ended })).reason).toBe('VmiFinal');
  });

  it('asks in the order of the controller', () => {
    expect(migrationStatusTable.slice(0, 12).map(({ name }) => name)).toEqual([
      'AlreadyFinal',
      'VmiGone',
      'VmiFinal',
      'CanceledBeforeHandOff',
      'TargetPodDown',
      'TargetPodGone',
      'StateCleared',
      'StateTakenOver',
      'FailedOnNode',
      'AbortNoted',
      'AttachmentPodDown',
      'Decentralized',
    ]);
  });
});

describe('a migration that is over', () => {
  const state = ours({ completed: true, sourcePod: 'source' });

  it.each(['Succeeded', 'Failed'])('%s: copies the account of the VMI and lets go', (phase) => {
    expect(look(aSubject(phase, { vmi: aVmi().migrationState(state) }))).toMatchObject({
      reason: 'AlreadyFinal',
      result: { migrationState: state, removeFinalizer: true, events: [] },
    });
  });

  it("does not copy another's account, nor without a VMI", () => {
    const other = aSubject('Failed', { vmi: aVmi().migrationState({ migrationUid: 'other' }) });
    expect(look(other).result).toEqual({ removeFinalizer: true, events: [] });
    expect(look(aSubject('Failed', { vmi: undefined })).result).toEqual({
      removeFinalizer: true,
      events: [],
    });
  });
});
