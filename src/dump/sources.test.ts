import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { errorOf, rawNode, rawVmi, vmisOf, writeFile, writeFiles } from './builders.ts';
import { loadFleet } from './load.ts';

const json = (value: unknown) => JSON.stringify(value);

describe('sources', () => {
  it('reads several files, folders and stdin into one fleet', async () => {
    const folder = writeFiles({
      'core/nodes.yaml': dump({ apiVersion: 'v1', kind: 'NodeList', items: [rawNode('n1')] }),
      'shop/vmis/a.JSON': json(rawVmi('a')),
      'shop/vmis/b.yml.gz': gzipSync(dump(rawVmi('b'))),
      'shop/vmis/c.ndjson': json(rawVmi('c')),
      'shop/pods/log.txt': 'no dump',
      'version.json': '"1.2.3"',
      'empty.yaml': '',
      'alarms.json': '[]',
      'numbers.json': '{"a":[1]}',
    });
    const more = writeFile('more.dump', json(rawVmi('d')));
    const { fleet, notes, objects } = await loadFleet([folder, more, '-'], {
      stdin: toBytes(json(rawVmi('e'))),
    });
    expect(vmisOf(fleet)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(fleet.count('Node')).toBe(1);
    expect(objects).toBe(6);
    expect(notes).toEqual([
      '3 values in the folders held no Kubernetes object.',
      '1 file in the folders had other endings and were not read.',
    ]);
  });

  it('reads a folder by path, so that the first of two places is always the same', async () => {
    const folder = writeFiles({
      'b.json': json(rawVmi('b')),
      'a/z.json': json(rawVmi('a')),
      'c.json': json(rawVmi('c')),
    });
    const files: string[] = [];
    await loadFleet([folder], { progress: ({ file }) => files.push(file) });
    expect(files).toEqual(['a/z.json', 'b.json', 'c.json'].map((name) => join(folder, name)));
  });

  it('a broken file in a folder', async () => {
    const folder = writeFiles({ 'a.json': json(rawVmi('a')), 'b.json': '{' });
    expect((await errorOf([folder])).file).toBe(join(folder, 'b.json'));
  });
});

describe('sources that cannot be read', () => {
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
});

async function* toBytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
