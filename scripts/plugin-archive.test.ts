import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PluginArchive, packagePlugin } from './plugin-archive.ts';

interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly platforms: readonly { readonly uri: string; readonly sha256: string; readonly bin: string }[];
  };
}

const URI = 'https://example.org/kubectl-drover.tar.gz';
const out = mkdtempSync(join(tmpdir(), 'drover-plugin-'));
let made: PluginArchive;
let manifest: Manifest;

beforeAll(async () => {
  made = await packagePlugin(join(out, 'one'), URI);
  manifest = load(readFileSync(made.manifest, 'utf8')) as Manifest;
});
afterAll(() => rmSync(out, { recursive: true }));

const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

it('the manifest is of the archive', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(manifest).toMatchObject({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'drover' },
    spec: { version: `v${version}`, platforms: [{ uri: URI, sha256: sumOf(made.archive) }] },
  });
  // Longer ones, krew's index does not take.
  expect(manifest.spec.shortDescription.length).toBeLessThanOrEqual(60);
});

it('what krew unpacks and links is a plugin of kubectl', () => {
  const unpacked = join(out, 'unpacked');
  mkdirSync(unpacked);
  expect(spawnSync('tar', ['-xzf', made.archive, '-C', unpacked]).status).toBe(0);
  for (const file of ['LICENSE', 'LICENSES.txt', 'package.json'])
    expect(existsSync(join(unpacked, file))).toBe(true);
  const plugin = join(out, 'kubectl-drover');
  symlinkSync(join(unpacked, manifest.spec.platforms[0]?.bin ?? ''), plugin);
  const { status, stdout } = spawnSync(plugin, ['plan'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('kubectl drover plan COMMAND')]);
});

it('two archives of one source are the same', async () => {
  const again = await packagePlugin(join(out, 'two'), URI);
  expect(sumOf(again.archive)).toBe(sumOf(made.archive));
});
