import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import {
  type BatchLimits,
  type BatchState,
  chooseBatch,
  evictionAccepted,
  evictionRefused,
  isRestOver,
  migrationPlaces,
  NO_BATCH,
} from './batch.ts';

const NOW = 10_000_000;
const vmis = (...names: string[]) => names.map((name) => aVmi(name).build());
const names = (chosen: readonly Vmi[]) => chosen.map(({ metadata }) => metadata.name);
const limits = (size: number, intervalSeconds = 60): BatchLimits => ({ size, intervalSeconds });
const ago = (seconds: number): BatchState => ({ ...NO_BATCH, lastAt: NOW - seconds * 1000 });
const always = () => true;

describe('the rest between batches', () => {
  it.each([
    ['never before', NO_BATCH, 60, true],
    ['59.999 s ago', ago(59.999), 60, false],
    ['exactly 60 s ago', ago(60), 60, false],
    ['60.001 s ago', ago(60.001), 60, true],
    ['just now, no interval', ago(0), 0, false],
    ['a millisecond ago, no interval', ago(0.001), 0, true],
    ['in the future, no interval', ago(-1), 0, false],
    ['just now, negative interval', ago(0), -30, true],
    ['1.5 s ago, interval 1.5 s', ago(1.5), 1.5, false],
  ])('%s, interval %s: over = %s', (_, state, interval, over) => {
    expect(isRestOver(state, limits(10, interval), NOW)).toBe(over);
  });
});

describe('a batch as v1.9.0 takes it', () => {
  const take = (list: Vmi[], state: BatchState, limit: BatchLimits) =>
    chooseBatch({ evictable: list, state, limits: limit, now: NOW }, 'exact', () => false);

  it('takes the first of the list and is used up before any answer', () => {
    const { chosen, state } = take(vmis('c', 'a', 'b'), NO_BATCH, limits(2));
    expect(names(chosen)).toEqual(['c', 'a']);
    expect(state).toEqual({ lastAt: NOW, accepted: 0, refused: [] });
  });

  it('takes all where the size is larger', () => {
    expect(names(take(vmis('a', 'b'), NO_BATCH, limits(10)).chosen)).toEqual(['a', 'b']);
  });

  it.each([0, -1])('is used up for nothing with size %s', (size) => {
    expect(take(vmis('a', 'b'), NO_BATCH, limits(size))).toEqual({
      chosen: [],
      state: { ...NO_BATCH, lastAt: NOW },
    });
  });

  it('is not used up while it rests, nor without anyone to evict', () => {
    expect(take(vmis('a'), ago(60), limits(1))).toEqual({ chosen: [], state: ago(60) });
    expect(take([], NO_BATCH, limits(1))).toEqual({ chosen: [], state: NO_BATCH });
  });

  it('always starts with the same VMIs: refused ones starve the rest', () => {
    const refused = { ...ago(61), refused: ['shop/a'] };
    expect(names(take(vmis('a', 'b'), refused, limits(1)).chosen)).toEqual(['a']);
  });
});

describe('a batch as intended', () => {
  const take = (
    list: Vmi[],
    state: BatchState,
    limit: BatchLimits,
    canEvict: (vmi: Vmi) => boolean = always,
  ) => chooseBatch({ evictable: list, state, limits: limit, now: NOW }, 'intended', canEvict);

  it('is not used up by being planned', () => {
    const { chosen, state } = take(vmis('a', 'b', 'c'), NO_BATCH, limits(2));
    expect(names(chosen)).toEqual(['a', 'b']);
    expect(state).toEqual(NO_BATCH);
  });

  it('leaves places that were refused to the next pass within the interval', () => {
    const state = { ...ago(5), accepted: 1, refused: ['shop/a'] };
    expect(names(take(vmis('a', 'b', 'c'), state, limits(3)).chosen)).toEqual(['b', 'c']);
  });

  it('is used up when as many were accepted as it has places', () => {
    expect(take(vmis('a'), { ...ago(60), accepted: 2 }, limits(2)).chosen).toEqual([]);
    expect(take(vmis('a'), { ...ago(60), accepted: 3 }, limits(2)).chosen).toEqual([]);
  });

  it('begins anew after the rest', () => {
    const { chosen, state } = take(vmis('a'), { ...ago(60.001), accepted: 2 }, limits(2));
    expect(names(chosen)).toEqual(['a']);
    expect(state).toEqual({ ...ago(60.001), accepted: 0 });
  });

  it('turns to others before those that were refused, the longest refused first', () => {
    const state = { ...NO_BATCH, refused: ['shop/c', 'shop/a'] };
    expect(names(take(vmis('a', 'b', 'c', 'd'), state, limits(4)).chosen)).toEqual(['b', 'd', 'c', 'a']);
  });

  it('forgets refusals of VMIs that are no longer to be evicted', () => {
    const state = { ...NO_BATCH, refused: ['shop/gone', 'shop/a'] };
    expect(take(vmis('a'), state, limits(1)).state.refused).toEqual(['shop/a']);
  });

  it('gives no place to VMIs that cannot be evicted', () => {
    const canEvict = (vmi: Vmi) => vmi.metadata.name !== 'a';
    expect(names(take(vmis('a', 'b', 'c'), NO_BATCH, limits(1), canEvict).chosen)).toEqual(['b']);
  });

  it.each([0, -1])('takes none with size %s', (size) => {
    expect(take(vmis('a'), NO_BATCH, limits(size)).chosen).toEqual([]);
  });

  it('stays as full as it was where the rest is over, but nobody may be evicted yet', () => {
    const state = { ...ago(60.001), accepted: 2 };
    expect(take(vmis('a'), state, limits(2), () => false)).toEqual({ chosen: [], state });
  });

  it('never lets more be accepted within one interval than the size, whatever is refused', () => {
    const pass = fc.tuple(
      fc.integer({ min: 1, max: 90 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(pass, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (passes, size) => {
        const accepted = rollOut(passes, size);
        for (const from of accepted) {
          expect(accepted.filter((at) => at >= from && at <= from + 60_000).length).toBeLessThanOrEqual(size);
        }
      }),
    );
  });

  it('gets round to everyone, whoever is refused', () => {
    const list = vmis('a', 'b', 'c', 'd', 'e');
    const tried = new Set<string>();
    let state = NO_BATCH;
    for (let pass = 0; pass < 3; pass++) {
      const batch = chooseBatch({ evictable: list, state, limits: limits(2), now: NOW }, 'intended', always);
      state = batch.chosen.reduce(evictionRefused, batch.state);
      for (const name of names(batch.chosen)) tried.add(name);
    }
    expect([...tried]).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

/** Passes some seconds apart with their answers; gives the times at which evictions were accepted. */
function rollOut(passes: readonly (readonly [number, readonly boolean[]])[], size: number): number[] {
  const accepted: number[] = [];
  let state = NO_BATCH;
  let now = 0;
  for (const [seconds, answers] of passes) {
    now += seconds * 1000;
    const batch = chooseBatch(
      { evictable: vmis('a', 'b', 'c', 'd', 'e'), state, limits: limits(size), now },
      'intended',
      always,
    );
    const taken = batch.chosen.filter((_, index) => answers[index]);
    accepted.push(...taken.map(() => now));
    state = batch.chosen.reduce(
      (before, vmi) =>
        taken.includes(vmi) ? evictionAccepted(before, vmi, now) : evictionRefused(before, vmi),
      batch.state,
    );
  }
  return accepted;
}

describe('what is remembered of an eviction', () => {
  const [a] = vmis('a') as [Vmi];

  it('accepted: a place is used, the rest begins, and the refusal is forgotten', () => {
    const state = { lastAt: 1, accepted: 1, refused: ['shop/a', 'shop/b'] };
    expect(evictionAccepted(state, a, NOW)).toEqual({ lastAt: NOW, accepted: 2, refused: ['shop/b'] });
  });

  it('refused: it goes to the end, once', () => {
    const state = { lastAt: 1, accepted: 1, refused: ['shop/a', 'shop/b'] };
    expect(evictionRefused(state, a)).toEqual({ ...state, refused: ['shop/b', 'shop/a'] });
    expect(evictionRefused(NO_BATCH, a)).toEqual({ ...NO_BATCH, refused: ['shop/a'] });
  });
});

describe('places for new migrations', () => {
  it.each([
    [5, 0, 0, 5],
    [5, 3, 0, 2],
    [5, 3, 1, 1],
    [5, 5, 0, 0],
    [5, 4, 3, 0],
    [0, 2, 0, 0],
  ])('cap %s, active %s, pending %s: %s', (cap, active, pending, places) => {
    expect(migrationPlaces(cap, active, pending)).toBe(places);
  });
});
