import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LabError } from '../errors.ts';

/**
 * The lab's real parts (kube-apiserver, kube-controller-manager, kube-scheduler, kubectl, etcd), built from their Go modules
 * under `lab/`, once, into a cache outside the work tree keyed by the module's lock file. `KUBEBUILDER_ASSETS`, the
 * ecosystem's own variable, is honoured first: then nothing is built.
 */

/** The Kubernetes version of the lab where `DROVER_LAB_KUBERNETES` names no other. */
const DEFAULT_KUBERNETES = '1.36';
const KUBERNETES_COMMANDS = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
] as const;
const MODULES = join(import.meta.dirname, '..', '..', '..', 'lab');

/** The Kubernetes version to run, as `1.36`. */
function labKubernetes(): string {
  return process.env.DROVER_LAB_KUBERNETES || DEFAULT_KUBERNETES;
}

/** Whether Go is there to build with. */
export function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

/** The folder that holds the lab's binaries: `KUBEBUILDER_ASSETS`, else the cache, else undefined when they are not built. */
export function findLabAssets(kubernetes = labKubernetes()): string | undefined {
  const given = process.env.KUBEBUILDER_ASSETS;
  if (given) return given;
  const folder = assetFolder(kubernetes);
  return missingIn(folder).length === 0 ? folder : undefined;
}

/**
 * The folder of the lab's binaries for a program that cannot build any, as one that was installed: `KUBEBUILDER_ASSETS`, else the
 * newest Kubernetes in the cache. Throws `LabAssetsMissing`, with the names of those that are missing.
 */
export function requireLabAssets(): string {
  const given = process.env.KUBEBUILDER_ASSETS;
  const folder = given || newestInCache();
  if (!folder) throw new LabError('LabAssetsMissing', `there are no binaries for a lab in ${cacheRoot()}`);
  const missing = missingIn(folder);
  if (missing.length === 0) return folder;
  throw new LabError('LabAssetsMissing', `${folder} lacks ${missing.join(', ')}`);
}

function newestInCache(): string | undefined {
  if (!existsSync(cacheRoot())) return undefined;
  const folders = readdirSync(cacheRoot()).filter((name) => name.startsWith('kubernetes-'));
  const wanted = `kubernetes-${labKubernetes()}-`;
  const rank = (name: string): number => Number(name.startsWith(wanted));
  return folders
    .sort((a, b) => rank(b) - rank(a) || b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(cacheRoot(), name))
    .find((folder) => missingIn(folder).length === 0);
}

function missingIn(folder: string): string[] {
  return [...KUBERNETES_COMMANDS, 'etcd'].filter((name) => !existsSync(join(folder, name)));
}

/** Builds what is missing and gives the folder. Throws an Error that says what to install when Go is not to be had. */
export function buildLabAssets(kubernetes = labKubernetes(), say: (line: string) => void = () => {}): string {
  const found = findLabAssets(kubernetes);
  if (found) return found;
  const folder = assetFolder(kubernetes);
  mkdirSync(folder, { recursive: true });
  const module = join(MODULES, `kubernetes-${kubernetes}`);
  const version = kubernetesVersion(module);
  const [major, minor] = version.slice(1).split('.');
  const stamp = 'k8s.io/component-base/version.';
  const flags = `-ldflags=-s -w -X ${stamp}gitVersion=${version} -X ${stamp}gitMajor=${major} -X ${stamp}gitMinor=${minor}`;
  for (const command of KUBERNETES_COMMANDS) {
    goBuild(module, `k8s.io/kubernetes/cmd/${command}`, join(folder, command), [flags], say);
  }
  linkEtcd(folder, say);
  return folder;
}

/** The real promtool, with which rules are tried: built into the cache where it is not there yet. Throws as `buildLabAssets` does. */
export function buildPromtool(say: (line: string) => void = () => {}): string {
  const module = join(MODULES, 'promtool');
  const folder = join(cacheRoot(), `promtool-${lockKey(module)}`);
  mkdirSync(folder, { recursive: true });
  const output = join(folder, 'promtool');
  // Without the ways to discover what is to be scraped, and their clients of every cloud.
  const flags = ['-tags=remove_all_sd', '-ldflags=-s -w'];
  goBuild(module, 'github.com/prometheus/prometheus/cmd/promtool', output, flags, say);
  return output;
}

function linkEtcd(folder: string, say: (line: string) => void): void {
  const module = join(MODULES, 'etcd');
  const cache = join(cacheRoot(), `etcd-${lockKey(module)}`);
  mkdirSync(cache, { recursive: true });
  goBuild(module, '.', join(cache, 'etcd'), ['-ldflags=-s -w'], say);
  try {
    linkSync(join(cache, 'etcd'), join(folder, 'etcd'));
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(join(folder, 'etcd'))) throw error;
  }
}

function goBuild(
  module: string,
  target: string,
  output: string,
  flags: readonly string[],
  say: (line: string) => void,
): void {
  if (existsSync(output)) return;
  say(`building ${target} (minutes, once)`);
  const partial = `${output}.partial-${process.pid}`;
  const build = spawnSync('go', ['build', '-trimpath', ...flags, '-o', partial, target], {
    cwd: module,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (build.status !== 0) {
    rmSync(partial, { force: true });
    const why = build.error
      ? `${build.error.message}; install Go, or set KUBEBUILDER_ASSETS`
      : `go build ended with ${build.status}`;
    throw new Error(`cannot build ${target}: ${why}`);
  }
  renameSync(partial, output);
}

function assetFolder(kubernetes: string): string {
  return join(
    cacheRoot(),
    `kubernetes-${kubernetes}-${lockKey(join(MODULES, `kubernetes-${kubernetes}`), join(MODULES, 'etcd'))}`,
  );
}

function cacheRoot(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drover', 'lab');
}

function lockKey(...modules: readonly string[]): string {
  const hash = createHash('sha256');
  for (const module of modules) {
    if (!existsSync(module)) throw new Error(`no such module: ${module}; the lab knows 1.34, 1.36 and 1.37`);
    for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(module, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

function kubernetesVersion(module: string): string {
  const line = /^require k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'));
  if (!line?.[1]) throw new Error(`${module}/go.mod requires no k8s.io/kubernetes`);
  return line[1];
}
