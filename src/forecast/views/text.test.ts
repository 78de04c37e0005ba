import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, hanging, padEnd, printable, truncate, wrap } from './text.ts';

describe('printable', () => {
  it.each([
    ['plain', 'shop/db-0', 'shop/db-0'],
    ['an escape sequence', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a C1 control sequence introducer', '\u009b2J', '\\u{9b}2J'],
    ['a line break', 'a\nb', 'a\\u{a}b'],
    ['a bidirectional override', 'a\u202eb', 'a\\u{202e}b'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['letters beyond ASCII', 'Größe 東京', 'Größe 東京'],
  ])('%s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('leaves nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be gone.
        expect(printable(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/u);
      }),
    );
  });
});

describe('columnsOf', () => {
  it.each([
    ['abc', 3],
    ['', 0],
    ['東京', 4],
    ['e\u0301', 1],
    ['🚀', 2],
  ])('%s takes %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe('truncate', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['ab cdef', 4, 'ab…'],
    ['東京都', 4, '東…'],
  ])('%s to %i', (text, columns, expected) => {
    expect(truncate(text, columns)).toBe(expected);
  });
});

describe('wrap', () => {
  it.each([
    ['a bb ccc', 4, ['a bb', 'ccc']],
    ['', 10, ['']],
    ['abcdefgh ij', 4, ['abcd', 'efgh', 'ij']],
    ['one', 10, ['one']],
  ])('%s in %i', (text, columns, expected) => {
    expect(wrap(text, columns)).toEqual(expected);
  });

  it('keeps every character and fits', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const lines = wrap(text, columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

it('hanging indents the further lines under the first', () => {
  expect(hanging('- ', 'one two three four five six', 22)).toEqual(['- one two three four', '  five six']);
});

it('padEnd counts columns, not characters', () => {
  expect(padEnd('東', 4)).toBe('東  ');
  expect(padEnd('abcd', 2)).toBe('abcd');
});
