import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { traceOf } from '../rules.ts';
import type { RunStrategyAction } from './action.ts';
import { decideRunStrategy } from './step.ts';
import { deleting, failed, idle, noted, now, RECEIVER, running, starting, stopping } from './test-step.ts';
import { withVmiTable } from './with-vmi.ts';
import { withoutVmiTable } from './without-vmi.ts';

const RESTORE = 'kubevirt.io/restore-run-strategy';
const succeeded = aVmi().phase('Succeeded').build();
const nothing: RunStrategyAction = { do: 'Nothing' };
const start: RunStrategyAction = { do: 'StartVmi' };
const remove: RunStrategyAction = { do: 'DeleteVmi', thenRequestStart: false };
const removeAndStart: RunStrategyAction = { do: 'DeleteVmi', thenRequestStart: true };

function step(strategy: string, vm: VirtualMachine, vmi?: Vmi) {
  const { result, reason } = decideRunStrategy({ vm, vmi, strategy, now });
  return [reason, result];
}

describe('with a VMI', () => {
  it.each<[string, string, VirtualMachine, Vmi, string, RunStrategyAction]>([
    ['Always', 'running', idle, running, 'VmiStays', nothing],
    ['Always', 'asked to start', starting, running, 'VmiStays', nothing],
    ['Always', 'succeeded', idle, succeeded, 'EndedOrStopRequested', remove],
    ['Always', 'failed', idle, failed, 'EndedOrStopRequested', remove],
    ['Always', 'asked to stop', stopping, running, 'EndedOrStopRequested', remove],
    ['Always', 'deleting and asked to stop', stopping, deleting, 'AlreadyDeleting', nothing],
    ['RerunOnFailure', 'running', idle, running, 'VmiStays', nothing],
    ['RerunOnFailure', 'succeeded', idle, succeeded, 'EndedOrStopRequested', remove],
    ['RerunOnFailure', 'failed', idle, failed, 'FailureRestarts', removeAndStart],
    ['RerunOnFailure', 'asked to stop', stopping, running, 'EndedOrStopRequested', remove],
    [
      'RerunOnFailure',
      'failed, deleting',
      idle,
      aVmi().phase('Failed').deleting().build(),
      'AlreadyDeleting',
      nothing,
    ],
    ['Manual', 'running', idle, running, 'VmiStays', nothing],
    ['Manual', 'failed', idle, failed, 'VmiStays', nothing],
    ['Manual', 'asked to stop', stopping, running, 'ManualStopRequested', remove],
    ['Manual', 'succeeded, asked to stop', stopping, succeeded, 'ManualStopRequested', remove],
    ['Manual', 'deleting, asked to stop', stopping, deleting, 'AlreadyDeleting', nothing],
    ['Halted', 'running', idle, running, 'Halted', remove],
    ['Halted', 'running, asked to start', starting, running, 'Halted', remove],
    ['Halted', 'deleting', idle, deleting, 'AlreadyDeleting', nothing],
    ['Once', 'failed', idle, failed, 'VmiStays', nothing],
    ['Once', 'asked to stop', stopping, running, 'VmiStays', nothing],
    ['Once', 'deleting', idle, deleting, 'VmiStays', nothing],
  ])('%s, %s', (strategy, _, vm, vmi, reason, action) => {
    expect(step(strategy, vm, vmi)).toEqual([reason, action]);
  });

  it.each([
    [running, idle],
    [deleting, idle],
    [undefined, starting],
  ])('an unknown strategy fails', (vmi, vm) => {
    const error = { reason: 'FailedCreate', message: 'unknown runstrategy: Bogus' };
    expect(step('Bogus', vm, vmi)).toEqual(['UnknownRunStrategy', { do: 'Fail', error }]);
  });
});

describe('a move to another cluster', () => {
  const source = { sourceState: { syncAddress: 'a' }, targetState: {} };
  const target = { sourceState: {}, targetState: { syncAddress: 'b' } };
  const local = { sourceState: { syncAddress: 'a' }, targetState: { syncAddress: 'b' } };
  const neither = { sourceState: {}, targetState: {} };
  const halt: RunStrategyAction = { do: 'TakeStrategy', strategy: 'Halted' };
  const wait: RunStrategyAction = { do: 'LookAgain', afterSeconds: 2 };

  it.each([
    ['the source side, completed', { ...source, completed: true }, 'MovedAway', halt],
    ['the target side, completed', { ...target, completed: true }, 'MovedAway', halt],
    ['the source side, not completed', { ...source, completed: false }, 'MovingAway', wait],
    ['the target side, nothing said', target, 'MovingAway', wait],
    ['both sides known', { ...local, completed: true }, 'EndedOrStopRequested', remove],
    ['no side known', { ...neither, completed: true }, 'EndedOrStopRequested', remove],
    ['no target', { sourceState: { syncAddress: 'a' }, completed: true }, 'EndedOrStopRequested', remove],
    ['no source', { targetState: { syncAddress: 'a' }, completed: true }, 'EndedOrStopRequested', remove],
    ['an ordinary migration', { completed: true }, 'EndedOrStopRequested', remove],
  ])('of an ended Always VM: %s', (_, state, reason, action) => {
    expect(step('Always', idle, aVmi().phase('Succeeded').migrationState(state).build())).toEqual([
      reason,
      action,
    ]);
  });

  it('matters at the end only, and to Always only', () => {
    const moving = aVmi().migrationState({ ...source, completed: true });
    expect(step('Always', idle, moving.build())).toEqual(['VmiStays', nothing]);
    expect(step('RerunOnFailure', idle, moving.phase('Succeeded').build())).toEqual([
      'EndedOrStopRequested',
      remove,
    ]);
  });

  it('comes before a deletion that is under way', () => {
    const vmi = aVmi()
      .phase('Succeeded')
      .deleting()
      .migrationState({ ...source, completed: true })
      .build();
    expect(step('Always', idle, vmi)).toEqual(['MovedAway', halt]);
  });

  it.each([
    ['made to receive', aVmi().annotated(RECEIVER, 'true'), idle, 'Receiver', nothing],
    [
      'made to receive, done',
      aVmi().annotated(RECEIVER, 'true').migrationState({ completed: true }),
      idle,
      'Receiver',
      nothing,
    ],
    [
      'done, without a strategy to restore',
      aVmi().migrationState({ completed: true }),
      idle,
      'Received',
      nothing,
    ],
    [
      'done, with one',
      aVmi().annotated(RECEIVER, 'false').migrationState({ completed: true }),
      aVm().annotated(RESTORE, 'Manual').build(),
      'Received',
      { do: 'TakeStrategy', strategy: 'Manual' },
    ],
    [
      'neither',
      aVmi().migrationState({ completed: false }),
      aVm().annotated(RESTORE, 'Manual').build(),
      'NotAReceiver',
      {
        do: 'Fail',
        error: { reason: 'FailedCreate', message: 'Found non receiver VMI while VM is receiver' },
      },
    ],
  ])('WaitAsReceiver, %s', (_, vmi, vm, reason, action) => {
    expect(step('WaitAsReceiver', vm, vmi.build())).toEqual([reason, action]);
    expect(step('WaitAsReceiver', vm, vmi.deleting().build())).toEqual([reason, action]);
  });
});

describe('without a VMI', () => {
  const backedOff = { consecutiveFailCount: 2, retryAfterTimestamp: '2026-03-01T12:00:30Z' };
  const waiting = aVm().requesting('Start').status({ startFailure: backedOff }).build();
  const recovering = aVm().requesting('Start').condition('ManualRecoveryRequired').build();
  const recovered = aVm().requesting('Start').condition('ManualRecoveryRequired', 'False').build();
  const wait: RunStrategyAction = { do: 'LookAgain', afterSeconds: 30 };

  it.each<[string, string, VirtualMachine, string, RunStrategyAction]>([
    ['Always', 'idle', idle, 'StartWanted', start],
    ['Always', 'backed off', waiting, 'StartBackoff', wait],
    ['Always', 'to be recovered', recovering, 'ManualRecoveryRequired', nothing],
    ['Always', 'recovered', recovered, 'StartWanted', start],
    ['RerunOnFailure', 'seen for the first time', idle, 'StartWanted', start],
    [
      'RerunOnFailure',
      'come from Halted',
      aVm().status({ runStrategy: 'Halted' }).build(),
      'StartWanted',
      start,
    ],
    ['RerunOnFailure', 'noted before', noted.build(), 'StaysOff', nothing],
    [
      'RerunOnFailure',
      'noted before, asked to start',
      noted.requesting('Start').build(),
      'StartWanted',
      start,
    ],
    ['RerunOnFailure', 'backed off', waiting, 'StartBackoff', wait],
    ['Manual', 'idle', idle, 'StaysOff', nothing],
    ['Manual', 'asked to stop', stopping, 'StaysOff', nothing],
    ['Manual', 'asked to start', starting, 'StartWanted', start],
    ['Manual', 'asked to start, backed off', waiting, 'StartWanted', start],
    ['Manual', 'asked to start, to be recovered', recovering, 'ManualRecoveryRequired', nothing],
    ['Halted', 'idle', idle, 'StaysOff', nothing],
    ['Halted', 'asked to start', starting, 'HaltedStartRequested', { do: 'SetAlways' }],
    ['Halted', 'asked to start, to be recovered', recovering, 'HaltedStartRequested', { do: 'SetAlways' }],
    ['Once', 'idle', idle, 'StartWanted', start],
    ['Once', 'backed off', waiting, 'StartWanted', start],
    ['WaitAsReceiver', 'idle', idle, 'StartWanted', start],
  ])('%s, %s', (strategy, _, vm, reason, action) => {
    expect(step(strategy, vm)).toEqual([reason, action]);
  });

  it('backs off no longer than the delay', () => {
    const later = now + 30_000;
    expect(decideRunStrategy({ vm: waiting, vmi: undefined, strategy: 'Always', now: later }).result).toEqual(
      start,
    );
  });
});

describe('the tables', () => {
  it('ends in the rule that decided, with and without a VMI', () => {
    const trace = traceOf(withVmiTable, { vm: idle, vmi: running, strategy: 'Halted', now });
    expect(trace.map(({ rule, held }) => [rule, held]).slice(-2)).toEqual([
      ['AlreadyDeleting', false],
      ['Halted', true],
    ]);
    const absent = traceOf(withoutVmiTable, { vm: idle, vmi: undefined, strategy: 'Manual', now });
    expect(absent.map(({ rule }) => rule)).toEqual(['UnknownRunStrategy', 'StaysOff']);
  });
});
