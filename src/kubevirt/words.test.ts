import { expect, it } from 'vitest';
import { counted, firstOf, someOf } from './words.ts';

it.each([
  [counted(0, 'pod'), '0 pods'],
  [counted(1, 'pod'), '1 pod'],
  [counted(2, 'pod'), '2 pods'],
  [counted(1, 'policy', 'policies'), '1 policy'],
  [counted(2, 'policy', 'policies'), '2 policies'],
  [firstOf([]), ''],
  [firstOf(['a', 'b', 'c']), 'a, b, c'],
  [firstOf(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more'],
  [firstOf(['a', 'b', 'c', 'd']), 'a, b, c and 1 more'],
  [someOf(['a']), 'a'],
  [someOf(['a', 'b', 'c', 'd']), 'a, b, c, d'],
  [someOf(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more'],
])('%s', (said, wanted) => {
  expect(said).toBe(wanted);
});
