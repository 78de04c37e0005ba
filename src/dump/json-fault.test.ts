import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from './json-fault.ts';

describe('findJsonFault', () => {
  it.each([
    ['', 0, 'expected a value, found the end'],
    ['{', 1, 'expected a key in double quotes, found the end'],
    ['{a:1}', 1, 'expected a key in double quotes, found "a"'],
    ['{"a" 1}', 5, 'expected ":", found "1"'],
    ['{"a":}', 5, 'expected a value, found "}"'],
    ['{"a":1 "b":2}', 7, 'expected "," or "}", found "\\""'],
    ['{"a":1,}', 7, 'expected a key in double quotes, found "}"'],
    ['[1,]', 3, 'expected a value, found "]"'],
    ['[1 2]', 3, 'expected "," or "]", found "2"'],
    ['[1}', 2, 'expected "," or "]", found "}"'],
    ['[01]', 2, 'expected "," or "]", found "1"'],
    ['[.5]', 1, 'expected a value, found "."'],
    ['[True]', 1, 'expected a value, found "T"'],
    ["['a']", 1, 'expected a value, found "\'"'],
    ['"a\nb"', 2, 'expected a legal character of a text, found "\\n"'],
    ['"a\\x"', 2, 'expected a legal character of a text, found "\\\\"'],
    ['"a', 2, 'expected a legal character of a text, found the end'],
    ['{} x', 3, 'expected nothing more, found "x"'],
    ['['.repeat(300), 257, 'expected less nesting, found "["'],
  ])('%s', (text, at, problem) => {
    expect(findJsonFault(text)).toEqual({ at, problem });
  });

  it('finds nothing in JSON, however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 3), (value, spaces) => {
        expect(findJsonFault(JSON.stringify(value, null, spaces))).toBeUndefined();
      }),
    );
  });

  it('finds something just where JSON.parse refuses', () => {
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', 'x', '0')).map(cut);
    fc.assert(
      fc.property(damaged, (text) => {
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 1000 },
    );
  });
});

/** A text with one character replaced by another or by none. */
function cut([text, seed, by]: readonly [string, number, string]): string {
  const at = seed % text.length;
  return text.slice(0, at) + by + text.slice(at + 1);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
