import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildProgram } from './bundle.ts';

const MANIFEST = 'deploy/krew/drover.yaml';
/** Of two archives of the same source every byte is the same. Needs GNU tar. */
const TAR = [
  '--sort=name',
  '--mtime=@0',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=go=rX,u+rw,a-s',
];

export interface PluginArchive {
  readonly archive: string;
  readonly manifest: string;
}

/** Builds the program into a folder, packs it, and writes the manifest by which krew finds it under the URL. */
export async function packagePlugin(folder: string, uri: string): Promise<PluginArchive> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const program = join(folder, 'drover');
  mkdirSync(folder, { recursive: true });
  await buildProgram(program);
  copyFileSync('LICENSE', join(program, 'LICENSE'));
  const { status, stdout, stderr } = spawnSync('tar', [...TAR, '-C', program, '-c', '.'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr}`);
  const packed = gzipSync(stdout, { level: 9 });
  const archive = join(folder, `kubectl-drover-v${version}.tar.gz`);
  writeFileSync(archive, packed);
  const manifest = join(folder, 'drover.yaml');
  const sha256 = createHash('sha256').update(packed).digest('hex');
  writeFileSync(manifest, fill(readFileSync(MANIFEST, 'utf8'), { version, uri, sha256 }));
  return { archive, manifest };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing to put in the place of ${name}`);
    return value;
  });
}
