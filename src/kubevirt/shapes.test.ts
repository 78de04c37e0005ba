import { expect, it } from 'vitest';
import { extended, recordOf } from './shapes.ts';

it('makes what Object.fromEntries makes', () => {
  const entries: [string, number][] = [
    ['b', 1],
    ['a', 2],
    ['b', 3],
  ];
  expect(recordOf(entries)).toStrictEqual(Object.fromEntries(entries));
  expect(Object.keys(recordOf(entries))).toEqual(['b', 'a']);
  expect(Object.getPrototypeOf(recordOf([]))).toBe(Object.prototype);
});

it('makes what a spread makes, and leaves the object alone', () => {
  const object = { a: 1, b: [2] };
  expect(extended(object, { c: 3, a: 4 })).toStrictEqual({ a: 4, b: [2], c: 3 });
  expect(object).toStrictEqual({ a: 1, b: [2] });
});
