import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/** `npm run build`: the program in `dist/`, split so that a command loads only what it needs, with the licences of what is inside. */
const OUT = 'dist';

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/main/drover.ts'],
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: true,
  metafile: true,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
});
chmodSync(join(OUT, 'drover.js'), 0o755);
writeFileSync(join(OUT, 'LICENSES.txt'), licences(packagesIn(metafile)));
/** What kubectl calls to complete `kubectl drover …`. */
writeFileSync(join(OUT, 'kubectl_complete-drover'), '#!/bin/sh\nexec kubectl-drover __complete "$@"\n', {
  mode: 0o755,
});

/** Folders of the packages of which something is in the bundle, by name. */
function packagesIn({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

function licences(folders: readonly string[]): string {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${licenceText(folder, license).trim()}\n`;
  });
  return `Drover contains these packages:\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The package's own file; one without a file under Drover's own licence gets that text. Anything else stops the build. */
function licenceText(folder: string, license: string): string {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  if (license === 'Apache-2.0') return readFileSync('LICENSE', 'utf8');
  throw new Error(`${folder} has no licence text to pass on`);
}
