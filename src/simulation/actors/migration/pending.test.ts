import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PendingMigrations } from './pending.ts';

function pendingOf(most: number, ...entries: (readonly [string, number])[]): PendingMigrations {
  const pending = new PendingMigrations();
  pending.countAsFirst(most);
  for (const [key, worth] of entries) pending.enter(key, worth);
  return pending;
}

describe('the first of the pending migrations', () => {
  it('are those of the highest worth, of equal ones those that came first', () => {
    const pending = pendingOf(3, ['a', 0], ['b', 0], ['x', 100], ['c', 0], ['y', 50]);
    expect(pending.firstAmong(['c', 'b', 'a', 'y', 'x', 'unknown', 'x'])).toEqual(['x', 'y', 'a']);
    expect(['a', 'b', 'x'].map((key) => pending.isFirst(key))).toEqual([true, false, true]);
  });

  it('move up when one of them leaves', () => {
    const pending = pendingOf(2, ['a', 0], ['b', 0], ['c', 0]);
    expect(pending.takeNewFirst()).toEqual(['a', 'b']);
    pending.leave('a');
    pending.leave('a');
    expect(pending.takeNewFirst()).toEqual(['c']);
    expect(pending.takeNewFirst()).toEqual([]);
    expect(pending.has('a')).toBe(false);
  });

  it('are newly so only as long as they are', () => {
    const pending = pendingOf(1, ['a', 0], ['x', 20]);
    expect(pending.takeNewFirst()).toEqual(['x']);
    pending.leave('x');
    pending.leave('a');
    expect(pending.takeNewFirst()).toEqual([]);
  });

  it('are more or fewer when so many are counted', () => {
    const pending = pendingOf(0, ['a', 0], ['b', 0], ['x', 20]);
    expect(pending.firstAmong(['a', 'b', 'x'])).toEqual([]);
    pending.countAsFirst(9);
    expect(pending.firstAmong(['a', 'b', 'x'])).toEqual(['x', 'a', 'b']);
    pending.countAsFirst(2);
    expect(pending.firstAmong(['a', 'b', 'x'])).toEqual(['x', 'a']);
  });

  it('keep their places when they are worth the same, and go to the end of the line when not', () => {
    const pending = pendingOf(9, ['a', 0], ['b', 0]);
    expect(pending.enter('a', 0)).toBe(false);
    expect(pending.firstAmong(['a', 'b'])).toEqual(['a', 'b']);
    expect(pending.enter('a', 20)).toBe(true);
    expect(pending.enter('a', 0)).toBe(true);
    expect(pending.firstAmong(['a', 'b'])).toEqual(['b', 'a']);
  });

  it('are as a sorted list has them, whatever comes and goes', () => {
    const step = fc.record({
      key: fc.constantFrom(...'abcdefgh'),
      worth: fc.constantFrom(undefined, 0, 20, 50),
      most: fc.nat({ max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const pending = new PendingMigrations();
        let line: readonly Entry[] = [];
        for (const { key, worth, most } of steps) {
          line = lineAfter(line, key, worth);
          pending.countAsFirst(most);
          if (worth === undefined) pending.leave(key);
          else pending.enter(key, worth);
          const sorted = line.toSorted((a, b) => b.worth - a.worth).map((entry) => entry.key);
          expect(pending.firstAmong([...'hgfedcba'])).toEqual(sorted.slice(0, most));
        }
      }),
    );
  });
});

interface Entry {
  readonly key: string;
  readonly worth: number;
}

/** In the order of their coming. */
function lineAfter(line: readonly Entry[], key: string, worth: number | undefined): readonly Entry[] {
  if (line.some((entry) => entry.key === key && entry.worth === worth)) return line;
  const others = line.filter((entry) => entry.key !== key);
  return worth === undefined ? others : [...others, { key, worth }];
}
