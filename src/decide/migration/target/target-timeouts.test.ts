import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../../kubevirt/builders.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import { decide, traceOf } from '../../rules.ts';
import {
  isUnschedulable,
  PENDING_TIMEOUT_SECONDS,
  type TargetTimeoutInput,
  targetTimeoutTable,
  UNSCHEDULABLE_TIMEOUT_SECONDS,
} from './target-timeouts.ts';

const UNSCHEDULABLE = 'kubevirt.io/migrationUnschedulablePodTimeoutSeconds';
const PENDING = 'kubevirt.io/migrationPendingPodTimeoutSeconds';
const created = '2026-03-01T12:00:00Z';
const createdAt = parseInstant(created) ?? 0;
const pending = () => aPod('target').phase('Pending').createdAt(created);
const homeless = () => pending().condition('PodScheduled', 'False', 'Unschedulable');

const ask = (
  pod: ReturnType<typeof pending>,
  seconds: number,
  migration = aMigration('m'),
): TargetTimeoutInput => ({
  migration: migration.build(),
  vmi: aVmi().build(),
  pod: pod.build(),
  now: createdAt + seconds * 1000,
});
const onMigration = { kind: 'VirtualMachineInstanceMigration', namespace: 'shop', name: 'm' };
const warning = {
  ...onMigration,
  type: 'Warning',
  reason: 'migrationTargetPodUnschedulable',
  message: 'Migration target pod for VMI [shop/db] is currently unschedulable.',
};
const deleted = (message: string) => ({
  ...onMigration,
  type: 'Normal',
  reason: 'SuccessfulDelete',
  message,
});

describe('is the target pod given up', () => {
  it.each([
    ['a pod that runs', ask(pending().phase('Running'), 1000), 'NotPending'],
    ['a pod being deleted', ask(homeless().deleting(), 1000), 'NotPending'],
    ['a pod without creation time', ask(pending().meta({ creationTimestamp: undefined }), 0), 'NotPending'],
  ])('%s: not looked at', (_, input, reason) => {
    expect(decide(targetTimeoutTable, input)).toMatchObject({
      reason,
      result: { deletePod: false, events: [] },
    });
  });

  it.each([
    ['unschedulable, just made', ask(homeless(), 0), 'Unschedulable', 300],
    ['unschedulable for 299 s', ask(homeless(), 299), 'Unschedulable', 1],
    ['unschedulable for 299.9 s', ask(homeless(), 299.9), 'Unschedulable', 1],
    ['unschedulable, by a clock that is behind', ask(homeless(), -5), 'Unschedulable', 300],
    ['pending for 899 s', ask(pending(), 899), 'Pending', 1],
    ['pending, just made', ask(pending(), 0), 'Pending', 900],
    [
      'unschedulable with more time',
      ask(homeless(), 300, aMigration('m').annotated(UNSCHEDULABLE, '600')),
      'Unschedulable',
      300,
    ],
    [
      'unschedulable with more time than pending has',
      ask(homeless(), 500, aMigration('m').annotated(UNSCHEDULABLE, '2000')),
      'Unschedulable',
      400,
    ],
    [
      'pending with more time',
      ask(pending(), 900, aMigration('m').annotated(PENDING, '1000')),
      'Pending',
      100,
    ],
  ])('%s: %s, looked at again after %i s', (_, input, reason, seconds) => {
    expect(decide(targetTimeoutTable, input)).toEqual({
      reason,
      evidence: expect.anything(),
      result: {
        deletePod: false,
        events: reason === 'Unschedulable' ? [warning] : [],
        requeueAfterSeconds: seconds,
      },
    });
  });

  it.each([
    ['unschedulable for 300 s', ask(homeless(), 300), 'UnschedulableTooLong', 'unschedulable', [warning]],
    ['pending for 900 s', ask(pending(), 900), 'PendingTooLong', 'pending', []],
    [
      'unschedulable with more time, but pending for 900 s',
      ask(homeless(), 900, aMigration('m').annotated(UNSCHEDULABLE, '2000')),
      'PendingTooLong',
      'pending',
      [warning],
    ],
    [
      'unschedulable with less time',
      ask(homeless(), 30, aMigration('m').annotated(UNSCHEDULABLE, '30')),
      'UnschedulableTooLong',
      'unschedulable',
      [warning],
    ],
    [
      'pending with a time of its own that is negative',
      ask(pending(), 0, aMigration('m').annotated(PENDING, '-1')),
      'PendingTooLong',
      'pending',
      [],
    ],
  ])('%s: deleted', (_, input, reason, kind, events) => {
    expect(decide(targetTimeoutTable, input)).toEqual({
      reason,
      evidence: expect.anything(),
      result: {
        deletePod: true,
        events,
        afterDeletion: deleted(`${kind} pod shop/target timeout period exceeded`),
      },
    });
  });

  it.each(['', 'soon', '10.5', '10s', ' 10'])('a time of "%s" is passed over', (text) => {
    const input = ask(homeless(), 100, aMigration('m').annotated(UNSCHEDULABLE, text));
    expect(decide(targetTimeoutTable, input).result.requeueAfterSeconds).toBe(200);
  });

  it('a time may carry a sign', () => {
    const input = ask(homeless(), 100, aMigration('m').annotated(UNSCHEDULABLE, '+150'));
    expect(decide(targetTimeoutTable, input).result.requeueAfterSeconds).toBe(50);
  });

  it('counts whole seconds on the second hand', () => {
    const input = { ...ask(homeless(), 0), now: createdAt + 299_999 };
    expect(decide(targetTimeoutTable, input).reason).toBe('Unschedulable');
  });
});

it('five minutes where no node fits (C10), a quarter of an hour for any reason', () => {
  expect([UNSCHEDULABLE_TIMEOUT_SECONDS, PENDING_TIMEOUT_SECONDS]).toEqual([300, 900]);
});

describe('unschedulable', () => {
  it.each([
    ['said so', homeless(), true],
    [
      'said of a second condition',
      pending().condition('PodScheduled', 'True').condition('PodScheduled', 'False', 'Unschedulable'),
      true,
    ],
    ['scheduled', pending().condition('PodScheduled', 'True'), false],
    ['another reason', pending().condition('PodScheduled', 'False', 'SchedulingGated'), false],
    ['another condition', pending().condition('Ready', 'False', 'Unschedulable'), false],
    ['status Unknown', pending().condition('PodScheduled', 'Unknown', 'Unschedulable'), false],
    ['no conditions', pending(), false],
  ])('%s: %s', (_, pod, expected) => {
    expect(isUnschedulable(pod.build())).toBe(expected);
  });
});

it('shows what each rule looked at', () => {
  const steps = traceOf(targetTimeoutTable, ask(homeless(), 0));
  const looked = [
    { object: 'Pod shop/target', path: 'status.phase', value: 'Pending' },
    { object: 'Pod shop/target', path: 'metadata.creationTimestamp', value: created },
    { object: 'Pod shop/target', path: 'status.conditions[type=PodScheduled]', value: 'Unschedulable' },
  ];
  expect(steps.map((step) => [step.rule, step.evidence])).toEqual([
    [
      'NotPending',
      [
        { object: 'Pod shop/target', path: 'status.phase', value: 'Pending' },
        { object: 'Pod shop/target', path: 'metadata.deletionTimestamp', value: undefined },
      ],
    ],
    ['UnschedulableTooLong', looked],
    ['PendingTooLong', looked],
    ['Unschedulable', looked],
  ]);
});
