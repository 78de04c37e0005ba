import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { archiveOf, formatOf, preambleLength } from './format.ts';

describe('formatOf', () => {
  it.each([
    ['{"a":1}', 'json'],
    ['{}', 'json'],
    ['{', 'json'],
    [' \n{\n "a"', 'json'],
    ['[{"a":1}]', 'json'],
    ['[]', 'json'],
    ['[ "a" ]', 'json'],
    ['\ufeff{"a":1}', 'json'],
    ['\n> npm\n> tsx\n\n{"a":1}', 'json'],
    ['{a: 1}', 'yaml'],
    ['[a, b]', 'yaml'],
    ['# c\na: 1', 'yaml'],
    ['---\n', 'yaml'],
    ['> folded\n', 'yaml'],
    ['a: \u001b[31mx', 'yaml'],
    ['', 'empty'],
    ['\ufeff \n', 'empty'],
    ['a\u0000b', 'binary'],
    ['PK\u0003\u0004', 'binary'],
    ['BZh9', 'binary'],
  ])('%j is %s', (text, format) => {
    expect(formatOf(Buffer.from(text))).toBe(format);
  });

  it('knows gzip and UTF-16 by their first bytes', () => {
    expect(formatOf(gzipSync('x'))).toBe('gzip');
    expect(formatOf(Buffer.from('\ufeffx', 'utf16le'))).toBe('utf-16');
    expect(formatOf(Buffer.from('\ufeffx', 'utf16le').swap16())).toBe('utf-16');
  });

  it.each([
    ['zstd file', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
    ['xz file', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
    ['tar archive', Buffer.from(`${'x'.repeat(257)}ustar`)],
    [undefined, Buffer.from('ustar')],
  ])('names a %s', (name, bytes) => {
    expect(archiveOf(bytes)).toBe(name);
  });

  it.each([
    ['{', 0],
    ['\ufeff{', 3],
    ['\n> a\n> b\n\n{', 10],
    ['> a\nb: 1', 0],
    ['> a\n- {', 0],
  ])('the preamble of %j has %i bytes', (text, length) => {
    expect(preambleLength(Buffer.from(text))).toBe(length);
  });
});
