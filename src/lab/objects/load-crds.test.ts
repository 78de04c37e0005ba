import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { objectAt } from '../../kubevirt/json.ts';
import { readCrds } from './load-crds.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-crds-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const crd = (name: string): string =>
  JSON.stringify({ kind: 'CustomResourceDefinition', metadata: { name } });
const namesIn = (path: string): unknown[] => readCrds(path).map((found) => objectAt(found, 'metadata').name);

it.each([
  ['one of JSON', 'one.json', crd('a'), ['a']],
  ['several in YAML', 'several.yaml', `${crd('a')}\n---\n${crd('b')}\n---\n`, ['a', 'b']],
  ['a list', 'list.yml', `kind: List\nitems: [${crd('a')}, ${crd('b')}]`, ['a', 'b']],
  ['others among them', 'mixed.yaml', `kind: Secret\n---\n${crd('a')}`, ['a']],
])('reads %s', (_, name, text, names) => {
  expect(namesIn(write(name, text))).toEqual(names);
});

it('reads a folder in the order of its files', () => {
  write('note.txt', 'not read');
  expect(namesIn(folder)).toEqual(['a', 'b', 'a', 'a', 'a', 'b']);
});

it('refuses files without any', () => {
  expect(() => readCrds(write('none.yaml', 'kind: Secret'))).toThrow('holds no CustomResourceDefinition');
});
