import { expect, it } from 'vitest';
import { mergePatched } from './merge-patch.ts';

it.each([
  ['sets', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['replaces', { a: 1 }, { a: 2 }, { a: 2 }],
  ['takes away', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['goes deep', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
  ['takes away deep', { a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
  ['replaces lists whole', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['replaces what is no object', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['replaces an object by what is none', { a: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ['drops nulls of what it adds', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
])('%s', (_, object, patch, result) => {
  const before = structuredClone(object);
  expect(mergePatched(object, patch)).toEqual(result);
  expect(object).toEqual(before);
});
