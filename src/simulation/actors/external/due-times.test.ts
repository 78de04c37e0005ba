import { expect, it } from 'vitest';
import { DueTimes } from './due-times.ts';

it('takes a key when it is due, once', () => {
  const due = new DueTimes();
  due.set('a', 5000);
  expect(due.take('a', 2000)).toBe(3);
  expect(due.take('a', 4999.5)).toBe('due');
  expect(due.take('a', 9000)).toBeUndefined();
  expect(due.take('b', 0)).toBeUndefined();
});

it('counts the earlier of two times', () => {
  const due = new DueTimes();
  due.set('a', 5000);
  due.set('a', 7000);
  due.set('a', 3000);
  expect(due.take('a', 2000)).toBe(1);
});
