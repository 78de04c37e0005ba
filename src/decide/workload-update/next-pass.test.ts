import { describe, expect, it } from 'vitest';
import { NO_BATCH } from './batch.ts';
import { type NextPassInput, nextPassSeconds } from './next-pass.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const used = (seconds: number, accepted = 2) => ({ lastAt: NOW - seconds * 1000, accepted, refused: [] });

const next = (change: Partial<NextPassInput>) =>
  nextPassSeconds({
    plannedSeconds: 30,
    hasEvictable: false,
    batch: NO_BATCH,
    limits: { size: 2, intervalSeconds: 15 },
    heldUntil: undefined,
    now: NOW,
    behavior: 'intended',
    ...change,
  });

describe('the next pass', () => {
  it('is when the plan says', () => {
    expect(next({})).toBe(30);
  });

  it.each([
    [30, 20, 20],
    [30, 40, 30],
    [undefined, 20, 20],
    [undefined, -1, 1],
  ])(
    'planned in %s seconds is when time alone changes something in %d',
    (plannedSeconds, ahead, expected) => {
      expect(next({ plannedSeconds, changesAt: NOW + ahead * 1000 })).toBe(expected);
    },
  );

  it('is none where nothing is left to do, whatever else is asked for', () => {
    expect(next({ plannedSeconds: undefined, hasEvictable: true, heldUntil: NOW })).toBeUndefined();
  });

  it.each([
    ['when the rest ends', used(5), 10.001],
    ['at the last moment of the rest', used(15), 1],
    [
      'at once where the rest ended while the pass was under way, so that the batch still counts as full',
      used(15.001),
      1,
    ],
    ['soon where places are left', used(5, 1), 5],
    ['soon where there was no batch yet', NO_BATCH, 5],
    ['when the plan says where the rest is long', { ...used(0), lastAt: NOW + 60_000 }, 30],
  ])('with somebody to evict is %s', (_, batch, seconds) => {
    expect(next({ hasEvictable: true, batch })).toBe(seconds);
  });

  it('does not wait for a batch that never has a place', () => {
    expect(next({ hasEvictable: true, batch: used(14, 0), limits: { size: 0, intervalSeconds: 15 } })).toBe(
      30,
    );
  });

  it('is not more often than every second without a rest between batches', () => {
    expect(next({ hasEvictable: true, batch: used(0), limits: { size: 2, intervalSeconds: 0 } })).toBe(1);
  });

  it.each([
    [20, 20],
    [5, 5],
    [2, 5],
    [-10, 5],
    [40, 30],
  ])('with somebody refused who may be tried in %d seconds is in %d', (seconds, expected) => {
    expect(next({ heldUntil: NOW + seconds * 1000 })).toBe(expected);
  });

  describe('of v1.9.0, which never rests while there is work left', () => {
    const exact = { behavior: 'exact', plannedSeconds: 30e-9 } as const;

    it('does not know of what time alone changes', () => {
      expect(next({ ...exact, plannedSeconds: undefined, changesAt: NOW + 5_000 })).toBeUndefined();
    });

    it.each([
      ['nobody could be evicted', { hasEvictable: false }, 30],
      ['there was no batch yet', { hasEvictable: true }, 0.02],
      ['the rest ends later', { hasEvictable: true, batch: used(5) }, 10.001],
      ['the rest has ended, places left or not', { hasEvictable: true, batch: used(20, 1) }, 0.02],
      ['the rest is long', { hasEvictable: true, batch: { ...used(0), lastAt: NOW + 60_000 } }, 30],
      ['somebody was refused', { hasEvictable: false, heldUntil: NOW + 5000 }, 30],
    ])('comes besides all changes where %s', (_, change, seconds) => {
      expect(next({ ...exact, ...change })).toBe(seconds);
    });

    it('is none where nothing is left to do', () => {
      expect(next({ ...exact, plannedSeconds: undefined, hasEvictable: true })).toBeUndefined();
    });
  });
});
