import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceCopy,
  beginCopy,
  dirtiedMB,
  endPreCopy,
  type GuestMemory,
  secondsToEnd,
  soloCopy,
} from './copy.ts';

const IDLE: GuestMemory = { memoryMB: 1000, hotSetMB: 0, hotSetSeconds: 0, coldDirtyMBps: 0 };
const HOT: GuestMemory = { ...IDLE, hotSetMB: 100, hotSetSeconds: 2 };
const COLD: GuestMemory = { ...IDLE, coldDirtyMBps: 10 };
const FOREVER = Number.POSITIVE_INFINITY;

const memories = fc.record({
  memoryMB: fc.double({ min: 10, max: 10_000, noNaN: true }),
  hotSetMB: fc.double({ min: 0, max: 200, noNaN: true }),
  hotSetSeconds: fc.double({ min: 0.5, max: 10, noNaN: true }),
  coldDirtyMBps: fc.double({ min: 0, max: 20, noNaN: true }),
});

describe('what a guest writes to', () => {
  it.each([
    ['nothing in no time', HOT, 0, 0],
    ['half its hot set in half the time of that', HOT, 1, 50],
    ['all of it in the whole time', HOT, 2, 100],
    ['no more of it later', HOT, 60, 100],
    ['cold pages at their rate', COLD, 3, 30],
    ['both together', { ...HOT, coldDirtyMBps: 10 }, 4, 140],
    ['never more than its memory', COLD, 1e6, 1000],
    ['a hot set of no seconds at once', { ...HOT, hotSetSeconds: 0 }, 0.001, 100],
    ['nothing of that in no time either', { ...HOT, hotSetSeconds: 0 }, 0, 0],
  ])('%s', (_, memory, seconds, expected) => {
    expect(dirtiedMB(memory, seconds)).toBe(expected);
  });
});

describe('a copy alone', () => {
  it('takes as long as the memory of an idle guest, without downtime', () => {
    expect(soloCopy(IDLE, 0.3, 100)).toEqual({
      seconds: 10,
      converges: true,
      downtimeSeconds: 0,
      rounds: 1,
      transferredMB: 1000,
    });
  });

  it('sends the hot set once more with the guest stopped, if that fits into the downtime', () => {
    const solo = soloCopy(HOT, 1, 100);
    expect(solo).toEqual({
      seconds: 11,
      converges: true,
      downtimeSeconds: 1,
      rounds: 1,
      transferredMB: 1100,
    });
  });

  it('sends it in ever shorter rounds until it does', () => {
    // 1000, 100, 50, 25 and, stopped, 12.5 MB.
    const solo = soloCopy(HOT, 0.125, 100);
    expect(solo.rounds).toBe(4);
    expect(solo.downtimeSeconds).toBeCloseTo(0.125, 9);
    expect(solo.transferredMB).toBeCloseTo(1187.5, 9);
    expect(solo.seconds).toBeCloseTo(11.875, 9);
  });

  it('adds a whole round where the rest is only just too much', () => {
    expect(soloCopy(HOT, 0.1249, 100).rounds).toBe(5);
  });

  it('sends cold pages again', () => {
    expect(soloCopy(COLD, 1, 100)).toMatchObject({ seconds: 11, rounds: 1 });
  });

  it('ends even where the guest may not stand still at all', () => {
    expect(soloCopy(HOT, 0, 100).seconds).toBeCloseTo(12, 3);
  });

  it.each([
    ['writes faster than the network carries', HOT, 40],
    ['writes as fast', HOT, 50],
    ['writes to cold pages too fast', COLD, 10],
    ['gets no bandwidth', IDLE, 0],
  ])('never ends if the guest %s', (_, memory, rate) => {
    expect(soloCopy(memory, 0.3, rate)).toEqual({
      seconds: FOREVER,
      converges: false,
      downtimeSeconds: FOREVER,
      rounds: FOREVER,
      transferredMB: FOREVER,
    });
  });

  it('is over at once without memory', () => {
    expect(soloCopy({ ...HOT, memoryMB: 0 }, 0.3, 100)).toMatchObject({ seconds: 0, transferredMB: 0 });
    expect(beginCopy({ ...HOT, memoryMB: 0 }, 0.3).phase).toBe('Done');
  });

  it('takes no longer with more bandwidth', () => {
    const rates = fc.tuple(
      fc.double({ min: 5, max: 500, noNaN: true }),
      fc.double({ min: 1, max: 3, noNaN: true }),
    );
    fc.assert(
      fc.property(memories, rates, (memory, [rate, factor]) => {
        const [slow, fast] = [rate, rate * factor].map(
          (mbPerSecond) => soloCopy(memory, 0.3, mbPerSecond).seconds,
        );
        // A faster round may leave just too much for the downtime; so the last pages may come a downtime later.
        expect(fast).toBeLessThanOrEqual((slow ?? 0) + 0.3 + 1e-9);
      }),
    );
  });
});

describe('a copy under way', () => {
  it('stands where its round is', () => {
    expect(advanceCopy(beginCopy(HOT, 0.3), 100, 4)).toMatchObject({
      phase: 'PreCopy',
      round: 1,
      remainingMB: 600,
      roundSeconds: 4,
      transferredMB: 400,
      downtimeSeconds: 0,
    });
  });

  it('goes into the next round on its own', () => {
    expect(advanceCopy(beginCopy(HOT, 0.3), 100, 10.5)).toMatchObject({
      phase: 'PreCopy',
      round: 2,
      remainingMB: 50,
      roundSeconds: 0.5,
      transferredMB: 1050,
    });
  });

  it('counts the time for which the guest stands still', () => {
    const stopped = advanceCopy(beginCopy(HOT, 1), 100, 10.25);
    expect(stopped).toMatchObject({ phase: 'StopAndCopy', round: 1, remainingMB: 75, downtimeSeconds: 0.25 });
    expect(advanceCopy(stopped, 100, 0.75)).toMatchObject({
      phase: 'Done',
      remainingMB: 0,
      downtimeSeconds: 1,
    });
  });

  it('stays done', () => {
    const done = advanceCopy(beginCopy(IDLE, 0.3), 100, 10);
    expect(done.phase).toBe('Done');
    expect(advanceCopy(done, 100, 5)).toBe(done);
    expect(secondsToEnd(done, 100)).toBe(0);
  });

  it.each([5, FOREVER])('gets nowhere without bandwidth, for %s seconds', (seconds) => {
    const starved = advanceCopy(beginCopy(HOT, 0.3), 0, seconds);
    expect(starved).toMatchObject({
      phase: 'PreCopy',
      remainingMB: 1000,
      roundSeconds: seconds,
      transferredMB: 0,
    });
  });

  it('comes to the same in two steps as in one', () => {
    const seconds = fc.double({ min: 0, max: 60, noNaN: true });
    fc.assert(
      fc.property(memories, seconds, seconds, (memory, first, second) => {
        const begun = beginCopy(memory, 0.3);
        const twice = advanceCopy(advanceCopy(begun, 150, first), 150, second);
        const once = advanceCopy(begun, 150, first + second);
        expect(twice.transferredMB).toBeCloseTo(once.transferredMB, 4);
        expect(twice.downtimeSeconds).toBeCloseTo(once.downtimeSeconds, 4);
      }),
    );
  });

  it('is done when it was foreseen to be, not before', () => {
    fc.assert(
      fc.property(memories, (memory) => {
        const begun = beginCopy(memory, 0.3);
        const seconds = secondsToEnd(begun, 450);
        expect(advanceCopy(begun, 450, seconds * (1 + 1e-9)).phase).toBe('Done');
        expect(advanceCopy(begun, 450, seconds * 0.999).phase).not.toBe('Done');
      }),
    );
  });

  it('ends, though a round that is nearly through leaves more than is left of it', () => {
    const nearly = advanceCopy(beginCopy(HOT, 0.3), 100, 9.5);
    expect(nearly.remainingMB).toBeCloseTo(50, 9);
    expect(secondsToEnd(nearly, 100)).toBeCloseTo(soloCopy(HOT, 0.3, 100).seconds - 9.5, 9);
  });

  it('ends, though its own round was long, once it has the bandwidth to', () => {
    const slow = advanceCopy(beginCopy(HOT, 0.3), 40, 60);
    expect(secondsToEnd(slow, 40)).toBe(FOREVER);
    expect(secondsToEnd(slow, 400)).toBeLessThan(1);
  });
});

describe('the end of pre-copy by decree', () => {
  it.each(['PostCopy', 'StopAndCopy'] as const)(
    'sends what is left and what was written to, once: %s',
    (phase) => {
      const half = advanceCopy(beginCopy(HOT, 0.1), 40, 10);
      const ended = endPreCopy(half, phase);
      expect(ended).toMatchObject({ phase, round: 1, remainingMB: 700, roundSeconds: 0, transferredMB: 400 });
      expect(secondsToEnd(ended, 40)).toBe(17.5);
      const done = advanceCopy(ended, 40, 17.5);
      expect(done).toMatchObject({ phase: 'Done', transferredMB: 1100 });
      expect(done.downtimeSeconds).toBe(phase === 'PostCopy' ? 0 : 17.5);
    },
  );

  it('sends no more than the memory', () => {
    expect(endPreCopy(advanceCopy(beginCopy(HOT, 0.1), 100, 0.5), 'PostCopy').remainingMB).toBe(975);
    const early = advanceCopy(beginCopy({ ...HOT, hotSetSeconds: 0 }, 0.1), 100, 0.5);
    expect(endPreCopy(early, 'PostCopy').remainingMB).toBe(1000);
  });

  it('changes nothing later', () => {
    const stopped = advanceCopy(beginCopy(HOT, 1), 100, 10.25);
    expect(endPreCopy(stopped, 'PostCopy')).toBe(stopped);
  });
});
