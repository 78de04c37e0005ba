import { describe, expect, it } from 'vitest';
import { advanceCopy, beginCopy, type MemoryCopy } from '../../decide/transfer/copy.ts';
import { afterRound, NO_THROTTLE, throttled } from './auto-converge.ts';

const memory = { memoryMB: 100, hotSetMB: 10, hotSetSeconds: 2, coldDirtyMBps: 4 };
const copy = (round: number, transferredMB: number, remainingMB: number): MemoryCopy => ({
  ...beginCopy(memory, 0.9),
  round,
  transferredMB,
  remainingMB,
});

describe('auto-converge', () => {
  it('takes notice of rounds only', () => {
    expect(afterRound(NO_THROTTLE, copy(1, 50, 50))).toBe(NO_THROTTLE);
    const ended: MemoryCopy = { ...copy(2, 100, 90), phase: 'StopAndCopy' };
    expect(afterRound(NO_THROTTLE, ended)).toBe(NO_THROTTLE);
  });

  it('slows the guest down after two bad rounds, more and more', () => {
    let throttle = NO_THROTTLE;
    const shares: number[] = [];
    for (let round = 2; round < 24; round++) {
      throttle = afterRound(throttle, copy(round, 100 * (round - 1), 90));
      shares.push(Math.round(throttle.share * 100));
    }
    expect(shares.slice(0, 8)).toEqual([0, 20, 20, 30, 30, 40, 40, 50]);
    expect(shares.at(-1)).toBe(99);
  });

  it('lets a good round pass', () => {
    const after = afterRound(NO_THROTTLE, copy(2, 100, 50));
    expect(after).toEqual({ share: 0, strikes: 0, round: 2, transferredMB: 100 });
    expect(afterRound(after, copy(3, 200, 51))).toMatchObject({ strikes: 1 });
    expect(afterRound(after, copy(3, 150, 26))).toMatchObject({ strikes: 1 });
  });

  it('makes a guest write less', () => {
    expect(throttled(memory, 0)).toEqual(memory);
    expect(throttled(memory, 0.5)).toEqual({
      memoryMB: 100,
      hotSetMB: 10,
      hotSetSeconds: 4,
      coldDirtyMBps: 2,
    });
    expect(advanceCopy(beginCopy(throttled(memory, 0.9), 0.9), 10, 60).phase).toBe('Done');
  });
});
