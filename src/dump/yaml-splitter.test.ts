import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { DumpFault } from './errors.ts';
import type { Place } from './place.ts';
import { type LineOf, YamlSplitter } from './yaml-splitter.ts';

interface Piece {
  readonly what: string;
  readonly text: string;
  readonly place: Place;
  readonly more: LineOf | boolean | undefined;
}

function split(text: string, chunkBytes = Number.POSITIVE_INFINITY): Piece[] {
  const pieces: Piece[] = [];
  const note = (what: string) => (bytes: Buffer, place: Place, more?: LineOf | boolean) => {
    pieces.push({ what, text: bytes.toString(), place, more });
  };
  const splitter = new YamlSplitter({
    onDocument: note('document'),
    onListStart: note('start'),
    onItem: note('item'),
    onListEnd: note('end'),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) splitter.push(bytes.subarray(at, at + chunkBytes));
  splitter.end();
  return pieces;
}

function bare(pieces: readonly Piece[]): string[] {
  return pieces.map(({ what, text }) => `${what}|${text}`);
}

const LIST =
  'apiVersion: v1\nitems:\n- a: 1\n  b: |\n    - x\n\n# c\n- a: 2\nkind: List\nmetadata:\n  x: ""\n';

describe('the YAML splitter', () => {
  it('cuts a List as kubectl writes it into its items', () => {
    expect(bare(split(LIST))).toEqual([
      'start|apiVersion: v1\nitems:\n',
      'item|- a: 1\n  b: |\n    - x\n\n# c\n',
      'item|- a: 2\n',
      'end|apiVersion: v1\nitems:\nkind: List\nmetadata:\n  x: ""\n',
    ]);
  });

  it('says in which line each piece begins, and where a line of the rest stands', () => {
    const pieces = split(`---\nkind: A\n---\n${LIST}`);
    expect(pieces.map(({ place }) => place)).toEqual([
      { line: 1, document: 1 },
      { line: 3, document: 2 },
      { line: 6, document: 2, item: 1 },
      { line: 11, document: 2, item: 2 },
      { line: 3, document: 2 },
    ]);
    // Of "---", "apiVersion", "items", "kind", "metadata".
    const lineOf = pieces.at(-1)?.more as LineOf;
    expect([0, 1, 2, 3, 4].map(lineOf)).toEqual([3, 4, 5, 12, 13]);
  });

  it.each([
    ['items at an indentation', 'items: # all\n  - a: 1\n    b: 2\n  - c\nkind: List\n', 2],
    ['items that are nothing', 'items:\n-\n-\nkind: List\n', 2],
    ['a comment before the first item', 'items:\n\n# first\n- a\nkind: List\n', 1],
    ['Windows line ends', 'items:\r\n- a: 1\r\n- b: 2\r\nkind: List\r\n', 2],
    ['no line end at the end', 'kind: List\nitems:\n- a\n- b', 2],
  ])('cuts %s', (_what, text, items) => {
    expect(split(text).filter(({ what }) => what === 'item')).toHaveLength(items);
  });

  it.each([
    ['an empty list', 'items: []\nkind: List\n'],
    ['items in flow style', 'items: [{a: 1}]\nkind: List\n'],
    ['no items', 'items:\nkind: List\n'],
    ['a mapping under items', 'items:\n  a:\n  - b\nkind: List\n'],
    ['items deeper down', 'spec:\n  items:\n  - a\n'],
    ['a sequence', '- items:\n  - a\n'],
    ['a flow mapping', '{\nitems:\n  [a]}\n'],
    ['a quoted key', '"items":\n- a\n'],
  ])('leaves whole: %s', (_what, text) => {
    expect(bare(split(text))).toEqual([`document|${text}`]);
  });

  it.each([
    ['markers', 'a: 1\n---\nb: 2\n--- # c\nc: 3\n', ['a: 1\n', '---\nb: 2\n', '--- # c\nc: 3\n']],
    ['a marker at the start', '# c\n---\na: 1\n', ['# c\n---\na: 1\n']],
    ['stops', 'a: 1\n...\n# x\nb: 2\n...\n', ['a: 1\n...\n', '# x\nb: 2\n...\n']],
    ['empty documents', '---\n---\na: 1\n---\n# nothing\n', ['---\na: 1\n']],
    ['content behind the marker', '--- {a: 1}\n--- |\n x\n', ['--- {a: 1}\n', '--- |\n x\n']],
    [
      'directives',
      '%YAML 1.2\n---\nitems:\n- a\n...\nb: 1\n',
      ['%YAML 1.2\n---\nitems:\n- a\n...\n', 'b: 1\n'],
    ],
    ['a marker in a text', 'a: "x\n---\nb: 1\n', ['a: "x\n', '---\nb: 1\n']],
  ])('parts documents at %s', (_what, text, documents) => {
    expect(bare(split(text))).toEqual(documents.map((document) => `document|${document}`));
  });

  it('knows the item that the file ends in', () => {
    const last = (text: string) => split(text).flatMap(({ what, more }) => (what === 'item' ? [more] : []));
    expect(last('items:\n- a\n- b')).toEqual([false, true]);
    expect(last('items:\n- a\n- b\nkind: List')).toEqual([false, false]);
    expect(last('items:\n- a\n---\nb: 1')).toEqual([false]);
  });

  it('goes on with items under a second key of that name, which the parser will refuse', () => {
    expect(bare(split('items:\n- a\nitems:\n- b\n'))).toEqual([
      'start|items:\n',
      'item|- a\n',
      'start|items:\nitems:\n',
      'item|- b\n',
      'end|items:\nitems:\n',
    ]);
  });

  it('gives the same pieces for any cuts of the bytes', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const text = fc
      .array(fc.record({ items: fc.array(fc.dictionary(fc.string(), value)), kind: fc.constant('List') }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((lists) => lists.map((list) => dump(list, { seqNoIndent: true })).join('---\n'));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, chunkBytes) => {
        expect(bare(split(whole, chunkBytes))).toEqual(bare(split(whole)));
      }),
    );
  });

  it('refuses a file without content as empty', () => {
    expect(faultOf('# only this\n---\n')).toBe('DumpEmpty: holds nothing');
  });

  it('names an item, a document and a line that are too large', () => {
    const line = `  x${'x'.repeat(1000)}\n`;
    expect(faultOf(`items:\n- a: |\n- b: |\n${line.repeat(17_000)}`)).toBe(
      'DumpTooLarge: is larger than 16 MiB',
    );
    expect(faultOf(`a: |\n${line.repeat(68_000)}`)).toBe('DumpTooLarge: is larger than 64 MiB');
    expect(faultOf(`a: ${'x'.repeat(17 * 1024 * 1024)}`)).toBe('DumpTooLarge: a line is longer than 16 MiB');
  });
});

function faultOf(text: string): string {
  try {
    split(text, 1 << 20);
  } catch (error) {
    if (error instanceof DumpFault) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}
