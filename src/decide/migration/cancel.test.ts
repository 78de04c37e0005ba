import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { migrationActionTable } from './actions.ts';
import { aSubject, MIGRATION, moving, NOON, ours, ready, target, VMI } from './builders.ts';
import { cancelEvent, failedBeforeStart } from './cancel.ts';
import type { MigrationSubject } from './subject.ts';

const look = (given: MigrationSubject) => decide(migrationActionTable, given);
const deleted = () => aMigration('m').deleting();
const nothing = { action: 'Nothing' };

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
