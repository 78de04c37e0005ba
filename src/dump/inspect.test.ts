import { describe, expect, it } from 'vitest';
import { findOddity, isSuspect } from './inspect.ts';

describe('oddities of an object', () => {
  it.each([
    ['{"a":1}', false],
    ['{"__proto__":1}', true],
    ['{"a":"constructor"}', true],
    ['{"\\u005fproto":1}', true],
    ['"\\x5f": 1', true],
    ['"\\U0000005f": 1', true],
    [' '.repeat(1024 * 1024), false],
    [' '.repeat(1024 * 1024 + 1), true],
  ])('%.30s is looked into: %s', (text, suspect) => {
    expect(isSuspect(Buffer.from(text))).toBe(suspect);
  });

  it.each([
    [{ a: [{ b: 'c' }], constructor: 'x' }],
    [{ labels: { constructor: 'acme', prototype: 'x' } }],
    [{ constructor: {} }],
    ['x'.repeat(1024 * 1024)],
    [Array(499_999).fill(1)],
    [null],
  ])('finds nothing in %#', (value) => {
    expect(findOddity(value)).toBeUndefined();
  });

  it.each([
    [JSON.parse('{"a":[{"__proto__":1}]}'), 'DumpUnsafeKey', /^a\[0\]\.__proto__: the key would change/],
    [{ constructor: { prototype: 1 } }, 'DumpUnsafeKey', /^constructor: the key/],
    [{ a: ['x'.repeat(1024 * 1024 + 1)] }, 'DumpTooLarge', /^a\[0\]: a text of 1048577 characters/],
    [Array(500_000).fill(1), 'DumpTooLarge', /^expands to more than 500000 values$/],
    [deep(258), 'DumpTooLarge', /^is nested deeper than 256 levels$/],
  ])('finds what is odd in %#', (value, code, problem) => {
    expect(findOddity(value)).toEqual({ code, problem: expect.stringMatching(problem) });
  });
});

function deep(levels: number): unknown {
  return levels === 0 ? 1 : [deep(levels - 1)];
}
