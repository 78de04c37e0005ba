import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadLine, ByteLines } from './byte-lines.ts';

function linesOf(...chunks: readonly (string | Buffer)[]): readonly string[] {
  const lines = new ByteLines();
  return chunks.flatMap((chunk) => lines.push(Buffer.from(chunk)));
}

describe('lines of bytes', () => {
  it('are the same however the bytes are cut', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).map((line) => line.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat(40)), (expected, cuts) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        const written = expected.map((line) => Buffer.from(line).toString());
        expect(linesOf(...chunks)).toEqual(written);
      }),
    );
  });

  it.each(['\u2028', '\u2029', '\u0085', '\r'])('go on over the line end %j, which is none', (end) => {
    expect(linesOf(`a${end}b\n`)).toEqual([`a${end}b`]);
  });

  it('pass over empty ones', () => {
    expect(linesOf('\n\na\n\n')).toEqual(['a']);
  });

  it('know what has not ended', () => {
    const lines = new ByteLines();
    expect([lines.push(Buffer.from('ab\ncd')), lines.rest]).toEqual([['ab'], 2]);
    expect([lines.push(Buffer.from('e\n')), lines.rest]).toEqual([['cde'], 0]);
  });

  it('are no text where the bytes are none', () => {
    expect(() => linesOf(Buffer.of(0xff, 0x0a))).toThrow(new BadLine('a line is not UTF-8'));
  });

  it('are not gathered without end', () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const lines = new ByteLines();
    for (let i = 0; i < 16; i++) lines.push(piece);
    expect(() => lines.push(Buffer.from('x'))).toThrow(BadLine);
  });
});
