import { expect, it } from 'vitest';
import { vmKey } from './vm-key.ts';

it.each([
  ['shop/db-0', undefined, 'shop/db-0'],
  ['shop/db-0', 'other', 'shop/db-0'],
  ['db-0', 'shop', 'shop/db-0'],
  ['virtualmachineinstance/shop/db-0', undefined, 'shop/db-0'],
  ['VMI/shop/db-0', undefined, 'shop/db-0'],
  ['vm/db-0', 'shop', 'shop/db-0'],
  ['vm/db-0', undefined, 'vm/db-0'],
])('%s with -n %s is %s', (text, namespace, key) => {
  expect(vmKey(text, namespace)).toBe(key);
});

it.each([
  ['db-0', undefined],
  ['', 'shop'],
  ['/db-0', undefined],
  ['shop/', undefined],
  ['pod/shop/db-0', undefined],
  ['a/b/c/d', undefined],
])('%s with -n %s names no VM', (text, namespace) => {
  expect(vmKey(text, namespace)).toBeUndefined();
});
