import { expect, it } from 'vitest';
import { withoutFinalizer } from './finalizers.ts';

it('takes one finalizer away, and no other', () => {
  const held = { metadata: { name: 'a', finalizers: ['x', 'y'] } };
  expect(withoutFinalizer(held, 'x')?.metadata.finalizers).toEqual(['y']);
  expect(withoutFinalizer(held, 'z')).toBeUndefined();
  expect(withoutFinalizer({ metadata: { name: 'a' } }, 'x')).toBeUndefined();
});
