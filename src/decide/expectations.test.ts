import { describe, expect, it } from 'vitest';
import { areExpectationsMet, creationObserved, EXPECTATION_TIMEOUT_SECONDS } from './expectations.ts';

const now = 1_000_000;
const setAgo = (pending: number, milliseconds: number) => ({ pending, setAt: now - milliseconds });

describe('expectations of creations', () => {
  it.each([
    ['nothing expected', undefined, true],
    ['all seen', setAgo(0, 0), true],
    ['one seen too many', setAgo(-1, 0), true],
    ['one pending', setAgo(1, 0), false],
    ['one pending for exactly five minutes', setAgo(1, 300_000), false],
    ['one pending for a millisecond more', setAgo(1, 300_001), true],
  ])('%s: may act = %s', (_, expectation, met) => {
    expect(areExpectationsMet(expectation, now)).toBe(met);
  });

  it('are given up after five minutes', () => {
    expect(EXPECTATION_TIMEOUT_SECONDS).toBe(300);
  });

  it('an observation lowers by one and keeps the time, even below zero', () => {
    expect(creationObserved({ pending: 2, setAt: 7 })).toEqual({ pending: 1, setAt: 7 });
    expect(creationObserved({ pending: 0, setAt: 7 })).toEqual({ pending: -1, setAt: 7 });
  });

  it('an observation of what nobody expects changes nothing', () => {
    expect(creationObserved(undefined)).toBeUndefined();
  });
});
