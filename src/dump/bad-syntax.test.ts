import { gzipSync } from 'node:zlib';
import { type BadInput, itRefuses, rawList, rawNode, rawVmi } from './builders.ts';

const json = (value: unknown) => JSON.stringify(value);
const LIST = rawList(rawVmi('a'), rawVmi('b'), rawNode('n1'));

const CASES: readonly BadInput[] = [
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
    'a NUL in the middle',
    `${json(LIST)}\n${' '.repeat(5000)}\n\u0000`,
    'DumpSyntax',
    'line 3, column 1: expected an object, found "\\u0000"',
  ],
];

itRefuses('files that are broken or cut off', CASES);
