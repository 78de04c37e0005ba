import { expect, it } from 'vitest';
import { addToGroup, groupBy, mostOften, tally } from './group-by.ts';

it('groups come in the order of their first members, members in the order given', () => {
  const groups = groupBy(['web-1', 'db-1', 'web-0', 'x'], (name) => /^(.*)-/.exec(name)?.[1]);
  expect([...groups]).toEqual([
    ['web', ['web-1', 'web-0']],
    ['db', ['db-1']],
    [undefined, ['x']],
  ]);
});

it('what is added comes last in its group', () => {
  const groups = groupBy([1, 2, 3], (number) => number % 2);
  addToGroup(groups, 1, 5);
  addToGroup(groups, 7, 7);
  expect([...groups]).toEqual([
    [1, [1, 3, 5]],
    [0, [2]],
    [7, [7]],
  ]);
});

it('values are counted in the order in which they first come', () => {
  expect([...tally(['b', 'a', 'b'])]).toEqual([
    ['b', 2],
    ['a', 1],
  ]);
});

it.each([
  [['b', 'a', 'b'], 'b'],
  [['b', 'a'], 'a'],
  [[], undefined],
])('of %j the most frequent is %s', (texts, expected) => {
  expect(mostOften(texts)).toBe(expected);
});
