import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** How code is bundled that is shipped. Names stay as they are: to make them short and keep them for errors costs a call wherever a function is made, a tenth of a simulation. */
export const SHIPPED = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // Packages in CommonJS call require for node's own modules, which an ESM bundle does not have by itself.
  banner: {
    js: "import { createRequire as createRequireOfNode } from 'node:module'; const require = createRequireOfNode(import.meta.url);",
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Bundles the program into a folder: `drover.js`, split so that a command loads only what it needs; what kubectl calls to
 * complete `kubectl drover …`; and the licences of what is inside. What the folder held is gone.
 */
export async function buildProgram(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    ...SHIPPED,
    entryPoints: ['src/main/drover.ts', 'src/main/simulate-thread.ts'],
    outdir: folder,
    splitting: true,
    metafile: true,
    chunkNames: 'chunks/[name]-[hash]',
  });
  chmodSync(join(folder, 'drover.js'), 0o755);
  writeFileSync(join(folder, 'kubectl_complete-drover'), COMPLETER, { mode: 0o755 });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'LICENSES.txt'), licences(packagesIn(metafile)));
}

const COMPLETER = '#!/bin/sh\nexec kubectl-drover __complete "$@"\n';

/** Folders of the packages of which something is in the bundle, by name. */
function packagesIn({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

function licences(folders: readonly string[]): string {
  const texts = folders.map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const by = typeof author === 'string' ? author : (author?.name ?? 'its authors');
    return `${name} ${version} (${license})\n\n${licenceText(folder, license, by).trim()}\n`;
  });
  return `Drover contains these packages:\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The package's own file; one without gets Drover's own text under the same licence, else the bare statement it makes. */
function licenceText(folder: string, license: string | undefined, author: string): string {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  if (license === 'Apache-2.0') return readFileSync('LICENSE', 'utf8');
  if (license) return `Licensed under ${license} by ${author}; the package carries no text of it.`;
  throw new Error(`${folder} says nothing about its licence`);
}
