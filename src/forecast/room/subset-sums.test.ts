import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canAddUp } from './subset-sums.ts';

describe('sizes add up', () => {
  it.each<[string, number[], number, number, boolean]>([
    ['to just above', [3, 4], 6, 7, true],
    ['to no more than the least', [3, 4], 7, 9, false],
    ['to too much only', [5, 5], 3, 4, false],
    ['by leaving one out', [5, 2, 5], 6, 8, true],
    ['not, where there are none', [], 0, 5, false],
    ['to nothing at all', [], -1, 0, true],
  ])('%s', (_, sizes, above, atMost, expected) => {
    expect(canAddUp(sizes, above, atMost)).toBe(expected);
  });

  it('as some subset does', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 7 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 40 }), fc.nat(10), (all, above, more) => {
        const subsets = Array.from({ length: 2 ** all.length }, (_, bits) =>
          all.reduce((sum, size, index) => sum + (Math.floor(bits / 2 ** index) % 2) * size, 0),
        );
        const expected = subsets.some((sum) => sum > above && sum <= above + more);
        expect(canAddUp(all, above, above + more)).toBe(expected);
      }),
    );
  });

  it('for all that is known, where there are too many sums', () => {
    const even = (count: number) => Array.from({ length: count }, (_, power) => 2 ** (power + 1));
    expect(canAddUp(even(10), 1000, 1001)).toBe(false);
    expect(canAddUp(even(12), 6000, 6001)).toBe(true);
  });
});
