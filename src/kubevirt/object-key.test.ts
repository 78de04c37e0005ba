import { expect, it } from 'vitest';
import { nameIn, namespacedKey, namespaceIn } from './object-key.ts';

it('joins namespace and name', () => {
  expect(namespacedKey('shop', 'db-0')).toBe('shop/db-0');
  expect(namespacedKey('shop', 'db-0')).toBe('shop/db-0');
  expect(namespacedKey('', 'db-0')).toBe('/db-0');
});

it('takes no namespace and no name for another', () => {
  expect([namespacedKey('a', 'b/c'), namespacedKey('a/b', 'd'), namespacedKey('__proto__', 'd')]).toEqual([
    'a/b/c',
    'a/b/d',
    '__proto__/d',
  ]);
});

it('still joins after so many keys that it has forgotten the first', () => {
  for (let i = 0; i < 600_000; i++) namespacedKey(i % 2 === 0 ? 'even' : 'odd', `vm-${i}`);
  expect([namespacedKey('even', 'vm-0'), namespacedKey('odd', 'vm-599999')]).toEqual([
    'even/vm-0',
    'odd/vm-599999',
  ]);
});

it.each([
  ['shop/db-0', 'shop', 'db-0'],
  ['/db-0', '', 'db-0'],
  ['n1', '', 'n1'],
])('of %s the namespace is "%s" and the name "%s"', (key, namespace, name) => {
  expect([namespaceIn(key), nameIn(key)]).toEqual([namespace, name]);
});
