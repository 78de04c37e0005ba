import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import {
  isPausedStartRequested,
  isSetToStart,
  isStartRequested,
  isStopRequested,
  requestsOf,
  restingRequests,
} from './requests.ts';

const vmi = aVmi().build();
const MINE = 'uid-db';

describe('the first request', () => {
  it('is all that counts', () => {
    const vm = aVm().requesting('Stop', MINE).requesting('Start').build();
    expect(isStartRequested(vm)).toBe(false);
    expect(isStopRequested(vm, vmi)).toBe(true);
    expect(requestsOf(vm)).toHaveLength(2);
  });

  it('may be absent', () => {
    expect(requestsOf(aVm().build())).toEqual([]);
    expect(requestsOf({ metadata: { name: 'db' } })).toEqual([]);
    expect(isStartRequested(aVm().build())).toBe(false);
    expect(isStopRequested(aVm().build(), vmi)).toBe(false);
    expect(isPausedStartRequested(aVm().build())).toBe(false);
  });

  it.each([
    ['this VMI', 'Stop', MINE, true],
    ['another VMI', 'Stop', 'uid-old', false],
    ['no VMI', 'Stop', undefined, false],
    ['this VMI, to start', 'Start', MINE, false],
  ])('stops when it names %s: %s', (_, action, uid, stops) => {
    expect(isStopRequested(aVm().requesting(action, uid).build(), vmi)).toBe(stops);
  });

  it('without UID does not stop a VMI without UID', () => {
    const nameless: Vmi = { metadata: { name: 'db' } };
    expect(isStopRequested(aVm().requesting('Stop').build(), nameless)).toBe(false);
  });

  it.each([
    ['paused', 'Start', { paused: 'true' }, true],
    ['another value', 'Start', { paused: 'True' }, false],
    ['no data', 'Start', undefined, false],
    ['a stop with the data', 'Stop', { paused: 'true' }, false],
  ])('starts paused: %s', (_, action, data, paused) => {
    expect(isPausedStartRequested(aVm().requesting(action, undefined, data).build())).toBe(paused);
  });
});

describe('restingRequests', () => {
  const start = { action: 'Start' };
  const stop = { action: 'Stop', uid: MINE };
  const voided = { action: 'Stop' };
  const old = { action: 'Stop', uid: 'uid-old' };
  const strange = { action: 'Dance' };
  const final = aVmi().phase('Failed').build();
  const deleting = aVmi().deleting().build();

  it.each([
    ['a start is done once the VMI is there', [start], vmi, []],
    ['a start waits while the VMI is final', [start], final, [start]],
    ['a start waits while the VMI is being deleted', [start], deleting, [start]],
    ['a start waits while there is no VMI', [start], undefined, [start]],
    ['a stop of this VMI waits', [stop, start], vmi, [stop, start]],
    ['a stop is done once the VMI is gone', [stop, start], undefined, [start]],
    ['a stop of another VMI is void', [old, stop], vmi, [stop]],
    ['a stop of no VMI is void', [voided, voided], vmi, []],
    ['several are dropped one after another', [old, voided, start], final, [start]],
    ['what is unknown stays, and holds the rest back', [strange, start], vmi, [strange, start]],
    ['none', [], vmi, []],
  ])('%s', (_, stateChangeRequests, seen, left) => {
    expect(restingRequests(aVm().status({ stateChangeRequests }).build(), seen)).toEqual(left);
  });
});

it('a stop of no VMI is void for a VMI without UID too', () => {
  const nameless: Vmi = { metadata: { name: 'db' } };
  expect(restingRequests(aVm().requesting('Stop').build(), nameless)).toEqual([]);
});

describe('isSetToStart', () => {
  const idle = aVm().build();
  const starting = aVm().requesting('Start').build();
  const stopping = aVm().requesting('Stop', MINE).build();
  const succeeded = aVmi().phase('Succeeded').build();
  const failed = aVmi().phase('Failed').build();

  it.each([
    ['Always', 'with VMI', idle, vmi, true],
    ['Always', 'without', idle, undefined, true],
    ['Halted', 'with VMI', idle, vmi, false],
    ['Halted', 'with a start request', starting, undefined, false],
    ['Manual', 'with VMI', idle, vmi, true],
    ['Manual', 'with VMI and a stop request', stopping, vmi, false],
    ['Manual', 'without', idle, undefined, false],
    ['Manual', 'without, with a start request', starting, undefined, true],
    ['RerunOnFailure', 'with a succeeded VMI', idle, succeeded, false],
    ['RerunOnFailure', 'with a failed VMI', idle, failed, true],
    ['RerunOnFailure', 'without', idle, undefined, true],
    ['Once', 'with VMI', idle, vmi, false],
    ['Once', 'without', idle, undefined, true],
    ['WaitAsReceiver', 'without', starting, undefined, false],
    ['Bogus', 'without', starting, undefined, false],
  ])('%s %s', (strategy, _, vm, seen, isSet) => {
    expect(isSetToStart(vm, seen, strategy)).toBe(isSet);
  });
});
