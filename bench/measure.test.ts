import { expect, it } from 'vitest';
import { median, medianOf } from './measure.ts';

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[], Number.NaN],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

it('repeats a bench and keeps the order of its numbers', async () => {
  let run = 0;
  const bench = {
    name: 'b',
    run: async () => {
      run += 1;
      return [
        { name: 'z', unit: 'ms', value: run },
        { name: 'a', unit: 'MB', value: 10 * run },
      ];
    },
  };
  expect(await medianOf(bench, { full: false }, 3)).toEqual([
    { name: 'z', unit: 'ms', value: 2 },
    { name: 'a', unit: 'MB', value: 20 },
  ]);
});
