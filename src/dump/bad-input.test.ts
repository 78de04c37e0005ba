import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { bytesOf, errorOf, rawList, rawNode, rawVmi, writeFile, writeFiles } from './builders.ts';
import { DUMP_ERRORS, type DumpErrorCode } from './errors.ts';

const json = (value: unknown) => JSON.stringify(value);
const yaml = (value: unknown) => dump(value, { seqNoIndent: true });
const LIST = rawList(rawVmi('a'), rawVmi('b'), rawNode('n1'));
const BOMB = [
  'apiVersion: v1',
  'kind: Node',
  'metadata: {name: n}',
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g'].map((name, i) => {
    const before = 'abcdef'[i];
    return `${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`;
  }),
].join('\n');
const nested = (levels: number) =>
  `{"apiVersion":"v1","kind":"Node","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const wrongStatus = (status: unknown) => ({
  status: {
    conditions: [
      { type: 'A', status: 'True' },
      { type: 'B', status },
    ],
  },
});

/** What is wrong, the content, the code, and the message behind the file's name. */
const CASES: readonly (readonly [string, string | Uint8Array, DumpErrorCode, string])[] = [
  [
    'broken JSON',
    '{"items":[{"kind":"Node",}]}',
    'DumpSyntax',
    'line 1, column 26, item 1: expected a key in double quotes, found "}"',
  ],
  [
    'broken JSON, later line',
    '[]\n{\n "kind" "Node"}',
    'DumpSyntax',
    'line 3, column 9, document 2: expected ":", found "\\""',
  ],
  [
    'broken JSON around a list',
    '{"kind" "List","items":[]}',
    'DumpSyntax',
    'line 1, column 9: expected ":", found "\\""',
  ],
  [
    'broken JSON behind a list',
    '{"items":[],"kind"}',
    'DumpSyntax',
    'line 1, column 19: expected ":", found "}"',
  ],
  [
    'broken JSON between items',
    '{"items":[{} {}]}',
    'DumpSyntax',
    'line 1, column 14: expected "," or "]", found "{" behind item 1',
  ],
  [
    'broken YAML',
    'apiVersion: v1\nkind: Node\n  metadata: x\n',
    'DumpSyntax',
    'line 3, column 11: bad indentation of a mapping entry',
  ],
  [
    'broken YAML in an item',
    'items:\n- {apiVersion: v1, kind: A}\n- kind: A\n   x: 1\n- b\nkind: List\n',
    'DumpSyntax',
    'line 4, column 5, item 2: bad indentation of a mapping entry',
  ],
  [
    'broken YAML behind a list',
    'items:\n- {apiVersion: v1, kind: A}\nkind: "List\n',
    'DumpSyntax',
    'line 4, column 1: deficient indentation',
  ],
  [
    'broken YAML in a later document',
    'kind: A\napiVersion: v1\n---\na: [1\n',
    'DumpSyntax',
    'line 5, column 1, document 2: deficient indentation',
  ],
  [
    'a key twice in YAML',
    'apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  name: b\n',
    'DumpSyntax',
    'line 5, column 3: duplicated mapping key',
  ],
  [
    'items twice in YAML',
    'kind: List\nitems:\n- {apiVersion: v1, kind: A}\nitems:\n- b: 1\n',
    'DumpSyntax',
    'line 4, column 1: duplicated mapping key',
  ],
  [
    'an alias without anchor',
    'items:\n- kind: *no\nkind: List',
    'DumpSyntax',
    'line 2, column 10, item 1: unidentified alias "no"',
  ],
  [
    'a truncated List',
    json(LIST).slice(0, 150),
    'DumpTruncated',
    'line 1, column 151: the file ends inside item 2',
  ],
  [
    'truncated JSON lines',
    `${json(rawVmi('a'))}\n{"kind":`,
    'DumpTruncated',
    'line 2, column 9: the file ends inside the object that begins at line 2',
  ],
  [
    'a truncated YAML List',
    'apiVersion: v1\nitems:\n- kind: Node\n  apiVersion: v1\n  metadata: {name: n}\n',
    'DumpTruncated',
    'line 6: the file ends behind the items of a list, without kind: List',
  ],
  [
    'a truncated YAML item',
    'items:\n- kind: Node\n  meta',
    'DumpTruncated',
    "line 3, column 7, item 1: expected ':' after a mapping key, and the file ends in this item",
  ],
  [
    'a truncated gzip file',
    gzipSync(json(LIST)).subarray(0, -20),
    'DumpTruncated',
    'the gzip file ends in the middle',
  ],
  [
    'a damaged gzip file',
    damaged(gzipSync(randomBytes(4000).toString('hex'))),
    'DumpBinary',
    'is a damaged gzip file',
  ],
  ['a file gzipped twice', gzipSync(gzipSync('{}')), 'DumpBinary', 'is gzipped twice'],
  [
    'a wrong type',
    json(rawVmi('a', wrongStatus(7))),
    'DumpWrongType',
    'line 1, column 1 (VirtualMachineInstance shop/a): status.conditions[1].status: expected string, received number',
  ],
  [
    'a wrong type in an item',
    json(rawList(rawNode('n'), rawVmi('a', wrongStatus(true)))),
    'DumpWrongType',
    'line 1, column 87, item 2 (VirtualMachineInstance shop/a): status.conditions[1].status: expected string, received boolean',
  ],
  [
    'a wrong type in YAML',
    yaml(rawList(rawNode('n', { spec: { unschedulable: 'yes' } }))),
    'DumpWrongType',
    'line 3, item 1 (Node n): spec.unschedulable: expected boolean, received string',
  ],
  [
    'no name',
    json({ apiVersion: 'v1', kind: 'Node', metadata: {} }),
    'DumpWrongType',
    'line 1, column 1 (Node): metadata.name: expected string, but it is missing',
  ],
  [
    'an enormous text',
    json(rawNode('n', { spec: { x: 'x'.repeat(1_100_000) } })),
    'DumpTooLarge',
    'line 1, column 1 (Node n): spec.x: a text of 1100000 characters, more than any object of Kubernetes holds',
  ],
  [
    'an enormous text in YAML',
    yaml(rawNode('n', { x: 'x'.repeat(1_100_000) })),
    'DumpTooLarge',
    'line 1 (Node n): x: a text of 1100000 characters, more than any object of Kubernetes holds',
  ],
  [
    'an enormous object',
    `[{"a":"${'x'.repeat(17_000_000)}"}]`,
    'DumpTooLarge',
    'line 1, column 2, item 1: is larger than 16 MiB',
  ],
  ['deep JSON', nested(258), 'DumpTooLarge', 'line 1, column 295: is nested deeper than 256 levels'],
  [
    'deep YAML',
    `a: ${'['.repeat(300)}`,
    'DumpTooLarge',
    'line 1, column 259: nesting exceeded maxDepth (256)',
  ],
  [
    '__proto__',
    '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"__proto__":"x"}}}',
    'DumpUnsafeKey',
    'line 1, column 1 (Node n): metadata.labels.__proto__: the key would change the prototype of JavaScript objects',
  ],
  [
    '__proto__, escaped',
    '{"apiVersion":"v1","kind":"Node","\\u005f_proto__":{},"metadata":{"name":"n"}}',
    'DumpUnsafeKey',
    'line 1, column 1 (Node n): __proto__: the key would change the prototype of JavaScript objects',
  ],
  [
    '__proto__ around a list',
    '{"__proto__":{"polluted":true},"items":[]}',
    'DumpUnsafeKey',
    'line 1, column 1: __proto__: the key would change the prototype of JavaScript objects',
  ],
  [
    '__proto__ in YAML',
    'apiVersion: v1\nkind: Node\nmetadata: {name: n}\n__proto__: {a: 1}\n',
    'DumpUnsafeKey',
    'line 1 (Node n): __proto__: the key would change the prototype of JavaScript objects',
  ],
  [
    'constructor.prototype',
    json(rawNode('n', { spec: { constructor: { prototype: { a: 1 } } } })),
    'DumpUnsafeKey',
    'line 1, column 1 (Node n): spec.constructor: the key would change the prototype of JavaScript objects',
  ],
  ['a YAML bomb', BOMB, 'DumpTooLarge', 'line 1: expands to more than 500000 values'],
  [
    'many aliases',
    `a: &a x\nb: [${Array(1001).fill('*a').join(', ')}]`,
    'DumpTooLarge',
    'line 2, column 4006: aliases exceeded maxAliases (1000)',
  ],
  [
    'an alias of itself',
    'apiVersion: v1\nkind: Node\nmetadata: {name: n}\na: &a [*a]',
    'DumpTooLarge',
    'line 1: is nested deeper than 256 levels',
  ],
  [
    'a binary file',
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
    'DumpBinary',
    'is a binary file, not text',
  ],
  ['a zip archive', Buffer.from('PK\u0003\u0004zip'), 'DumpBinary', 'is a zip archive, not text'],
  [
    'a tar archive, gzipped',
    gzipSync(Buffer.from(`${'x'.repeat(257)}ustar\u0000`)),
    'DumpBinary',
    'is a tar archive, not text',
  ],
  [
    'a NUL in the middle',
    `${json(LIST)}\n${' '.repeat(5000)}\n\u0000`,
    'DumpSyntax',
    'line 3, column 1: expected an object, found "\\u0000"',
  ],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'DumpEncoding', 'is UTF-16, not UTF-8'],
  ['Latin-1', Buffer.from('{"a":"\u00e4"}', 'latin1'), 'DumpEncoding', 'line 1, column 1: is not UTF-8'],
  ['an empty file', '', 'DumpEmpty', 'is empty'],
  ['blanks', ' \n\t\n', 'DumpEmpty', 'is empty'],
  ['comments', '# nothing\n', 'DumpEmpty', 'holds nothing'],
  [
    'other text',
    'Error from server (NotFound)\n',
    'DumpNotKubernetes',
    'line 1: is a string, not a Kubernetes object',
  ],
  [
    'a JSON text',
    '["a"]',
    'DumpNotKubernetes',
    'line 1, column 2, item 1: is a string, not a Kubernetes object',
  ],
  [
    'a list in a list',
    '[[]]',
    'DumpNotKubernetes',
    'line 1, column 2, item 1: is a list, not a Kubernetes object',
  ],
  [
    'null in a list',
    '{"kind":"List","items":[null]}',
    'DumpNotKubernetes',
    'line 1, column 25, item 1: is nothing, not a Kubernetes object',
  ],
  [
    'an object without kind',
    '{"metadata":{"name":"a"}}',
    'DumpNotKubernetes',
    'line 1, column 1: is no Kubernetes object: it has no kind',
  ],
  [
    'an item without kind',
    '{"vms":[{"metadata":{}}]}',
    'DumpNotKubernetes',
    'line 1, column 9, vms item 1: is no Kubernetes object: it has no kind',
  ],
  [
    'no apiVersion',
    '{"kind":"Node"}',
    'DumpNotKubernetes',
    'line 1, column 1: is no Kubernetes object: it has no apiVersion',
  ],
];

describe('bad input gives one clear line', () => {
  it.each(CASES)('%s', async (_what, content, code, told) => {
    const file = writeFile('cluster.dump', content);
    const error = await errorOf([file]);
    expect(error.message).toBe(`${file}: ${told}`);
    expect(error).toMatchObject({ name: 'DumpError', code, file, count: 1, cure: DUMP_ERRORS[code].cure });
    expect(error.lines).toEqual([error.message]);
    expect(error.message).not.toMatch(/\n| at .*\.ts:/);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is the same for any chunks of the file', async () => {
    for (const [, content, , told] of CASES) {
      if (content.length > 10_000) continue;
      expect((await errorOf([bytesOf('x', content, 3)])).message).toBe(`x: ${told}`);
    }
  });

  it('parts place and cause', async () => {
    const error = await errorOf([bytesOf('x', json(rawList(rawNode('n', { spec: [] }))))]);
    expect(error.place).toBe('line 1, column 29, item 1 (Node n)');
    expect(error.cause).toBe('spec: expected object, received array');
  });

  it('tells the first five of many wrong objects, and counts them', async () => {
    const wrong = Array.from({ length: 7 }, (_, i) => rawNode(`n${i}`, { spec: 1 }));
    const error = await errorOf([bytesOf('x', wrong.map(json).join('\n'))]);
    expect(error.count).toBe(7);
    expect(error.lines).toHaveLength(5);
    expect(error.lines[4]).toBe(
      'x: line 5, column 1, document 5 (Node n4): spec: expected object, received number',
    );
    expect(error.message).toBe(`${error.lines[0]} (and 6 more)`);
  });

  it('tells what ends the reading before wrong objects', async () => {
    const error = await errorOf([bytesOf('x', `${json(rawNode('n', { spec: 1 }))}\n{`)]);
    expect(error.code).toBe('DumpTruncated');
    expect(error.lines).toHaveLength(2);
    expect(error.count).toBe(2);
  });

  it('makes text of the input harmless', async () => {
    const name = `\u001b[31m${'x'.repeat(1000)}\u202e`;
    const error = await errorOf([bytesOf('x', json(rawNode(name, { spec: 1 })))]);
    expect(error.message).toMatch(/^x: line 1, column 1 \(Node \ufffd\[31mx{390}…\): spec: /);
  });

  it.each([
    ['nothing there', 'no/such.yaml', 'no/such.yaml: there is no such file or folder'],
    ['a file for a folder', 'package.json/x', 'package.json/x: a part of the path is no folder'],
  ])('a path with %s', async (_what, path, message) => {
    expect(await errorOf([path])).toMatchObject({ code: 'DumpUnreadable', message });
  });

  it('a folder without dumps', async () => {
    const folder = writeFiles({ 'a.txt': 'x' });
    const told = 'no .json, .yaml, .jsonl or .ndjson file in this folder';
    expect((await errorOf([folder])).message).toBe(`${folder}: ${told}`);
  });

  it('stdin twice', async () => {
    expect((await errorOf(['-', '-'])).message).toBe('-: stdin can be read only once');
  });

  it('a broken file in a folder', async () => {
    const folder = writeFiles({ 'a.json': json(rawVmi('a')), 'b.json': '{' });
    expect((await errorOf([folder])).file).toBe(join(folder, 'b.json'));
  });
});

describe('one object twice', () => {
  const labelled = (name: string, metadata: object) =>
    rawVmi(name, { metadata: { name, namespace: 'shop', ...metadata } });
  const cure = DUMP_ERRORS.DumpDuplicate.cure;

  it('with other content is refused, naming both places', async () => {
    const error = await errorOf([
      bytesOf('x', [rawNode('n'), rawVmi('a'), labelled('a', { labels: { x: '1' } })].map(json).join('\n')),
    ]);
    expect(error).toMatchObject({
      code: 'DumpDuplicate',
      message:
        'x: line 3, column 1, document 3 (VirtualMachineInstance shop/a): has other content than the one in x, line 2, column 1, document 2',
      cure,
    });
  });

  it('with another resourceVersion is refused across files', async () => {
    const first = labelled('a', { resourceVersion: '5' });
    const second = labelled('a', { resourceVersion: '7' });
    const error = await errorOf([
      bytesOf('x', yaml(rawList(rawVmi('b'), first))),
      bytesOf('y', json(second)),
    ]);
    expect(error.message).toBe(
      'y: line 1, column 1 (VirtualMachineInstance shop/a): has resourceVersion 7, but 5 is that of the one in x, line 8, item 2',
    );
  });

  it('with the same resourceVersion but other content is refused', async () => {
    const error = await errorOf([
      bytesOf(
        'x',
        json([labelled('a', { resourceVersion: '5' }), labelled('a', { resourceVersion: '5', uid: 'u' })]),
      ),
    ]);
    expect(error.cause).toBe('has other content than the one in x, line 1, column 2, item 1');
  });

  it('without resourceVersion once is compared by content', async () => {
    const error = await errorOf([
      bytesOf('x', json([labelled('a', { resourceVersion: '5' }), labelled('a', { uid: 'u' })])),
      bytesOf('y', json([labelled('b', { resourceVersion: '5' }), labelled('b', {})])),
    ]);
    expect(error.count).toBe(1);
  });
});

function damaged(zipped: Buffer): Buffer {
  const bytes = Buffer.from(zipped);
  bytes.fill(0xff, 100, 200);
  return bytes;
}
