import { expect, it } from 'vitest';
import { messageOf } from './thrown.ts';

it.each([
  ['an error', new Error('refused'), 'refused'],
  ['an error without words', new TypeError(''), 'TypeError'],
  ['several errors in one', new AggregateError([new Error('first'), new Error('second')], 'all'), 'first'],
  ['several errors that are none', new AggregateError([], 'all failed'), 'all failed'],
  ['a text', 'stop', 'stop'],
  ['nothing', undefined, 'undefined'],
])('%s', (_, thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
