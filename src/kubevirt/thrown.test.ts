import { expect, it } from 'vitest';
import { messageOf, whyUnread } from './thrown.ts';

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

it.each([
  ['no such file', 'ENOENT', 'there is no such file or folder'],
  ['a folder', 'EISDIR', 'it is a folder'],
  ['what is not told in other words', 'EMFILE', 'EMFILE: said so'],
])('a file that cannot be read says why: %s', (_, code, why) => {
  expect(whyUnread(Object.assign(new Error(`${code}: said so`), { code }))).toBe(why);
  expect(whyUnread(new Error('line 3: said so'))).toBe('line 3: said so');
});
