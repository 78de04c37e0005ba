import { expect, it } from 'vitest';
import { separateShortFlags, shellQuoted } from './arguments.ts';

it.each([
  [['-ojson'], ['-o', 'json']],
  [['-n=shop'], ['-n', 'shop']],
  [['-lapp=db'], ['-l', 'app=db']],
  [['-f-'], ['-f', '-']],
  [
    ['-f', '-'],
    ['-f', '-'],
  ],
  [['-A'], ['-A']],
  [['--output=json'], ['--output=json']],
  [['-h'], ['-h']],
  [
    ['a', '--', '-ojson'],
    ['a', '--', '-ojson'],
  ],
])('%j is read as %j', (argv, expected) => {
  expect(separateShortFlags(argv)).toEqual(expected);
});

it.each([
  [['-f', 'cluster.yaml'], '-f cluster.yaml'],
  [['-f', 'my file'], "-f 'my file'"],
  [['-f', "it's"], "-f 'it'\\''s'"],
  [['-f', '$(rm)'], "-f '$(rm)'"],
  [[], ''],
])('%j is pasted as %s', (words, text) => {
  expect(shellQuoted(words)).toBe(text);
});
