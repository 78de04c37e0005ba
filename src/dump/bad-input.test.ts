import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { type BadInput, bytesOf, errorOf, itRefuses, rawList, rawNode, rawVmi } from './builders.ts';

const json = (value: unknown) => JSON.stringify(value);
const yaml = (value: unknown) => dump(value, { seqNoIndent: true });
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

const CASES: readonly BadInput[] = [
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

itRefuses('what no cluster gives', CASES);

describe('an error of several problems', () => {
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
});

function damaged(zipped: Buffer): Buffer {
  const bytes = Buffer.from(zipped);
  bytes.fill(0xff, 100, 200);
  return bytes;
}
