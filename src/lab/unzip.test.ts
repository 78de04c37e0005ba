import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unzipFile } from './unzip.ts';

const numbers = (...pairs: readonly (readonly [value: number, bytes: number])[]): Buffer =>
  Buffer.concat(
    pairs.map(([value, bytes]) => {
      const piece = Buffer.alloc(bytes);
      piece.writeUIntLE(value, 0, bytes);
      return piece;
    }),
  );

interface Packed {
  readonly name: string;
  readonly packed: Buffer;
  readonly method: number;
  readonly extra?: string;
  readonly comment?: string;
}

/** A zip archive as the tools of this world write it, with room for surprises. */
function zip(files: readonly Packed[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, method, extra = '', comment: told = '' } of files) {
    const sizes = numbers([0, 4], [packed.length, 4], [99, 4], [name.length, 2]);
    const head = Buffer.concat([numbers([0x04034b50, 4], [20, 2], [0, 2], [method, 2], [0, 4]), sizes]);
    const local = Buffer.concat([head, numbers([extra.length, 2]), Buffer.from(name + extra), packed]);
    const entry = numbers([0x02014b50, 4], [20, 2], [20, 2], [0, 2], [method, 2], [0, 4]);
    const rest = numbers([0, 2], [told.length, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
    entries.push(Buffer.concat([entry, sizes, rest, Buffer.from(name + told)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = numbers([0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2], [directory.length, 4]);
  return Buffer.concat([
    ...locals,
    directory,
    end,
    numbers([offset, 4], [comment.length, 2]),
    Buffer.from(comment),
  ]);
}

const deflated = (name: string, text: string): Packed => ({
  name,
  packed: deflateRawSync(Buffer.from(text)),
  method: 8,
  extra: 'UT',
});

describe('a file of a zip archive', () => {
  const archive = zip(
    [
      deflated('bin/kubectl', 'one'),
      { ...deflated('bin/helm', 'two'), comment: 'with a comment' },
      { name: 'README', packed: Buffer.from('as it is'), method: 0, extra: 'x' },
      { name: 'new', packed: Buffer.from('?'), method: 93 },
    ],
    'the whole has a comment, too',
  );

  it.each([
    ['bin/kubectl', 'one'],
    ['bin/helm', 'two'],
    ['README', 'as it is'],
  ])('%s', (name, text) => {
    expect(unzipFile(archive, name).toString()).toBe(text);
  });

  it.each([
    ['bin', 'no bin in the archive'],
    ['new', 'new is packed by method 93'],
  ])('%s is not to be had', (name, why) => {
    expect(() => unzipFile(archive, name)).toThrow(why);
  });

  it.each([['PK'], [''], ['PK\x05\x06cut']])('%j is no archive', (text) => {
    expect(() => unzipFile(Buffer.from(text), 'a')).toThrow('not a zip archive');
  });
});
