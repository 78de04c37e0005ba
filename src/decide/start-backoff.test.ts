import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../kubevirt/builders.ts';
import { everRan, startBackoffSecondsLeft, startDelaySeconds, startFailureAfter } from './start-backoff.ts';

const NEARLY_ONE = 1 - Number.EPSILON;
const now = Date.parse('2026-03-01T12:00:00Z');

describe('startDelaySeconds', () => {
  it.each([
    [0, 10, 15],
    [-3, 10, 15],
    [1, 10, 15],
    [2, 40, 60],
    [3, 90, 135],
    [4, 160, 240],
    [5, 250, 300],
    [6, 300, 300],
    [100, 300, 300],
  ])('after %i failures between %i and %i s', (failures, least, most) => {
    expect(startDelaySeconds(failures, 0)).toBe(least);
    expect(startDelaySeconds(failures, NEARLY_ONE)).toBe(most);
  });

  it.each([
    [60, 3, 60, 60],
    [299, 1, 10, 15],
    [330, 1, 11, 16],
    [600, 2, 80, 120],
  ])('with a cap of %i s, after %i failures between %i and %i s', (cap, failures, least, most) => {
    expect(startDelaySeconds(failures, 0, cap)).toBe(least);
    expect(startDelaySeconds(failures, NEARLY_ONE, cap)).toBe(most);
  });

  it('is a whole number of seconds within its bounds, and grows with chance', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: -2, max: 50 }), chance, chance, (failures, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((c) => startDelaySeconds(failures, c));
        expect(Number.isInteger(low)).toBe(true);
        expect(low).toBeGreaterThanOrEqual(10);
        expect(low).toBeLessThanOrEqual(high ?? 0);
        expect(high).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe('startBackoffSecondsLeft', () => {
  it.each([
    ['2026-03-01T12:00:30Z', now, 30],
    ['2026-03-01T12:00:30Z', now + 999, 30],
    ['2026-03-01T12:00:30Z', now + 1000, 29],
    ['2026-03-01T12:00:01Z', now, 1],
    ['2026-03-01T12:00:00Z', now, 0],
    ['2026-03-01T11:00:00Z', now, 0],
    [undefined, now, 0],
  ])('until %s at %i: %i s', (retryAfterTimestamp, at, left) => {
    const vm = aVm()
      .status({ startFailure: { consecutiveFailCount: 1, retryAfterTimestamp } })
      .build();
    expect(startBackoffSecondsLeft(vm, at)).toBe(left);
  });

  it('is none without a failure', () => {
    expect(startBackoffSecondsLeft(aVm().build(), now)).toBe(0);
    expect(startBackoffSecondsLeft({ metadata: { name: 'db' } }, now)).toBe(0);
  });
});

describe('everRan', () => {
  it.each([
    ['Scheduled only', [{ phase: 'Scheduled' }], false],
    ['Running among others', [{ phase: 'Pending' }, { phase: 'Running' }, { phase: 'Failed' }], true],
    ['no record', undefined, false],
  ])('%s', (_, phaseTransitionTimestamps, ran) => {
    expect(everRan(aVmi().status({ phaseTransitionTimestamps }).build())).toBe(ran);
  });

  it('is false without a VMI', () => {
    expect(everRan(undefined)).toBe(false);
    expect(everRan({ metadata: { name: 'db' } })).toBe(false);
  });
});

describe('startFailureAfter', () => {
  const failed = aVmi('db').phase('Failed').build();
  const ran = aVmi('db')
    .phase('Failed')
    .status({ phaseTransitionTimestamps: [{ phase: 'Running' }] })
    .build();
  const before = {
    consecutiveFailCount: 2,
    lastFailedVMIUID: 'uid-old',
    retryAfterTimestamp: '2026-03-01T11:00:00Z',
  };
  const counted = aVm().status({ startFailure: before }).build();

  it('counts the first failure', () => {
    expect(startFailureAfter(aVm().build(), failed, now, 0)).toEqual({
      consecutiveFailCount: 1,
      lastFailedVMIUID: 'uid-db',
      retryAfterTimestamp: '2026-03-01T12:00:10Z',
    });
  });

  it('counts on, with a growing delay', () => {
    expect(startFailureAfter(counted, failed, now, NEARLY_ONE)).toEqual({
      consecutiveFailCount: 3,
      lastFailedVMIUID: 'uid-db',
      retryAfterTimestamp: '2026-03-01T12:02:15Z',
    });
  });

  it.each(['Always', 'RerunOnFailure', 'Once'])('%s counts', (strategy) => {
    expect(startFailureAfter(aVm().runStrategy(strategy).build(), failed, now, 0)).toBeDefined();
  });

  it.each(['Manual', 'Halted', 'WaitAsReceiver', 'Bogus'])('%s forgets', (strategy) => {
    const vm = aVm().runStrategy(strategy).status({ startFailure: before }).build();
    expect(startFailureAfter(vm, failed, now, 0)).toBeUndefined();
  });

  it('counts a VMI once', () => {
    const vm = aVm()
      .status({ startFailure: { ...before, lastFailedVMIUID: 'uid-db' } })
      .build();
    expect(startFailureAfter(vm, failed, now, 0)).toBe(vm.status?.startFailure);
  });

  it('forgets once a VMI has run, even if it failed then', () => {
    expect(startFailureAfter(counted, ran, now, 0)).toBeUndefined();
  });

  it.each([
    ['there is no VMI', undefined],
    ['the VMI is on its way', aVmi().phase('Scheduling').build()],
  ])('keeps the count while %s', (_, vmi) => {
    expect(startFailureAfter(counted, vmi, now, 0)).toBe(counted.status?.startFailure);
  });

  it('keeps counting a VM whose strategy does not resolve', () => {
    const vm = aVm().spec({ runStrategy: 'Manual', running: true }).status({ startFailure: before }).build();
    expect(startFailureAfter(vm, undefined, now, 0)).toEqual(before);
  });
});
