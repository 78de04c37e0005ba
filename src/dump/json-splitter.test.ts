import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DumpFault } from './errors.ts';
import { JsonSplitter } from './json-splitter.ts';

type Piece = readonly [what: string, text: string, place?: object];

function split(text: string, cuts: readonly number[] = []): Piece[] {
  const pieces: Piece[] = [];
  const note = (what: string) => (bytes: Buffer, place: object) => {
    pieces.push([what, bytes.toString(), place]);
  };
  const splitter = new JsonSplitter({
    onValue: note('value'),
    onListStart: note('start'),
    onElement: note('element'),
    onListsEnd: note('end'),
  });
  const bytes = Buffer.from(text);
  const edges = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  edges.slice(1).forEach((edge, i) => {
    splitter.push(bytes.subarray(edges[i], edge));
  });
  splitter.end();
  return pieces;
}

/** What and which text, without places. */
function bare(pieces: readonly Piece[]): string[] {
  return pieces.map(([what, text]) => `${what} ${text}`);
}

describe('the JSON splitter', () => {
  it('gives an object without lists whole', () => {
    const text = '{"kind":"Node","spec":{"taints":[1]}}';
    expect(split(text)).toEqual([['value', text, { line: 1, column: 1, document: 1 }]]);
  });

  it('cuts a List into its items and keeps what stands around them', () => {
    expect(bare(split('{"apiVersion":"v1","items":[{"a":1},{"b":[2]}],"kind":"List"}'))).toEqual([
      'start {"apiVersion":"v1","items":[',
      'element {"a":1}',
      'element {"b":[2]}',
      'end {"apiVersion":"v1","items":[],"kind":"List"}',
    ]);
  });

  it('cuts every list of an object of lists, whatever their elements are', () => {
    expect(bare(split('{"a":[{}, "x\\"]", -1.5e3 ,null,[[]]],"now":"t","b":[ ]}'))).toEqual([
      'start {"a":[',
      'element {}',
      'element "x\\"]"',
      'element -1.5e3',
      'element null',
      'element [[]]',
      'start {"a":[],"now":"t","b":[',
      'end {"a":[],"now":"t","b":[]}',
    ]);
  });

  it('takes values one after another and a bare list', () => {
    expect(bare(split('{"a":1}\n{"b":2} {"c":3}[{"d":4}]\n'))).toEqual([
      'value {"a":1}',
      'value {"b":2}',
      'value {"c":3}',
      'start [',
      'element {"d":4}',
      'end []',
    ]);
  });

  it('says where each piece begins', () => {
    const places = split('{"items":[\n  {"a":1},\n  {\n"b":2}\n]}\n{}').map(([what, , place]) => [
      what,
      place,
    ]);
    expect(places).toEqual([
      ['start', { line: 1, column: 1, document: 1 }],
      ['element', { line: 2, column: 3, document: 1, item: 1 }],
      ['element', { line: 3, column: 3, document: 1, item: 2 }],
      ['end', { line: 1, column: 1, document: 1 }],
      ['value', { line: 6, column: 1, document: 2 }],
    ]);
  });

  it('gives the same pieces for any cuts of the bytes', () => {
    const json = fc.json({ maxDepth: 4 }).filter((text) => /^[[{]/.test(text));
    const indent = fc.constantFrom(undefined, 1, 4);
    const text = fc
      .array(fc.tuple(json, indent), { minLength: 1, maxLength: 4 })
      .map((values) =>
        values.map(([value, spaces]) => JSON.stringify(JSON.parse(value), null, spaces)).join('\n'),
      );
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, seeds) => {
        const cuts = seeds.map((seed) => seed % (Buffer.byteLength(whole) + 1));
        expect(split(whole, cuts)).toEqual(split(whole));
      }),
    );
  });

  it('puts the pieces together to what JSON.parse reads', () => {
    const text = fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()));
    fc.assert(
      fc.property(text, (value) => {
        expect(assembled(split(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ['text', 'hello', 'line 1, column 1: expected an object, found "h"'],
    ['a comma between objects', '{}\n,{}', 'line 2, column 1: expected an object, found ","'],
    ['no comma in a list', '[{}\n {}]', 'line 2, column 2: expected "," or "]", found "{" behind item 1'],
    ['two commas', '[{},,{}]', 'line 1, column 5: expected an object, found "," behind item 1'],
    ['a comma before the end', '[{},]', 'line 1, column 5: expected an object, found "]" behind item 1'],
    ['a comma at the start', '[,{}]', 'line 1, column 2: expected an object, found ","'],
    ['anything behind a list', '[{}]x', 'line 1, column 5: expected an object, found "x"'],
    ['a bare word', '[x]', 'line 1, column 2: expected an object, found "x"'],
  ])('refuses %s', (_what, text, told) => {
    expect(faultOf(text)).toBe(`DumpSyntax ${told}`);
  });

  it.each([
    ['an object', '\n{"a":{"b"', 'the file ends inside the object that begins at line 2'],
    ['a text', '{"a":"b', 'the file ends inside the object that begins at line 1'],
    ['an item', '{"items":[{},{"a"', 'the file ends inside item 2'],
    ['a list, behind an item', '{"items":[{},{} ', 'the file ends after item 2'],
    ['a list, behind a comma', '[{},', 'the file ends after item 1'],
    ['a list, at its start', '{"items":[', 'the file ends inside the object that begins at line 1'],
    ['an object, behind its list', '{"items":[{}]', 'the file ends after item 1'],
  ])('names what the file ends in: %s', (_what, text, told) => {
    expect(faultOf(text)).toMatch(/^DumpTruncated line \d, column \d+: /);
    expect(faultOf(text)).toContain(told);
  });

  it('refuses a file of blanks as empty', () => {
    expect(faultOf(' \n ')).toBe('DumpEmpty : holds nothing');
  });

  it('follows 256 levels and no more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(split(`{"a":{"b":${nested(254)}}}`)).toHaveLength(1);
    expect(faultOf(`{"a":{"b":${nested(255)}}}`)).toBe(
      'DumpTooLarge line 1, column 265: is nested deeper than 256 levels',
    );
  });

  it('names the item that is too large', () => {
    const huge = `[{},{"a":"${'x'.repeat(16 * 1024 * 1024)}"}]`;
    expect(faultOf(huge)).toBe('DumpTooLarge line 1, column 5, item 2: is larger than 16 MiB');
  });
});

function assembled(pieces: readonly Piece[]): unknown {
  const last = JSON.parse(pieces.at(-1)?.[1] ?? '');
  let list: unknown[] = [];
  for (const [what, text] of pieces) {
    if (what === 'start') {
      const key = JSON.parse(/("(?:[^"\\]|\\.)*"):\[$/.exec(text)?.[1] ?? '');
      list = last[key];
    } else if (what === 'element') list.push(JSON.parse(text));
  }
  return last;
}

function faultOf(text: string): string {
  try {
    split(text);
  } catch (error) {
    if (error instanceof DumpFault) return `${error.code} ${placeText(error)}: ${error.message}`;
    throw error;
  }
  return 'none';
}

function placeText(fault: DumpFault): string {
  const { line, column, item } = fault.place;
  return [line && `line ${line}`, column && `column ${column}`, item && `item ${item}`]
    .filter(Boolean)
    .join(', ');
}
