import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { aKubeVirt, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { LAB_FLAGS, type Lab, startLab } from '../../lab/lab.ts';
import { kubevirtCrds } from '../../lab/objects/crds.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import { waitFor } from '../../lab/wait.ts';
import { get, patch, put, uidOf } from '../webhook/test-webhook.ts';

export const NEW_IMAGE = 'launcher:v2';
const KUBEVIRT_IO = '/apis/kubevirt.io/v1/namespaces';

/** A lab with KubeVirt's kinds, and nodes with room for everything. */
export async function startControllerLab(): Promise<Lab> {
  const lab = await startLab({ apiServerFlags: LAB_FLAGS });
  await loadCrds(lab.admin, kubevirtCrds());
  await lab.kubectl(['create', 'namespace', 'drover-system']);
  const allocatable = { cpu: '640', memory: '1024Gi', pods: '5000' };
  for (const name of ['n1', 'n2']) {
    const labels = { 'kubevirt.io/schedulable': 'true', 'kubernetes.io/hostname': name };
    const metadata = { name, labels };
    await put(lab, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata });
    await patch(lab, `/api/v1/nodes/${name}/status`, { status: { allocatable, capacity: allocatable } });
  }
  return lab;
}

export interface Strategy {
  readonly methods: readonly string[];
  readonly size?: number;
  readonly interval?: string;
}

/** The KubeVirt CR of a namespace with a strategy: created, or changed if it is there. */
export async function setStrategy(lab: Lab, strategy: Strategy, namespace = 'default'): Promise<void> {
  const { methods, size = 10, interval = '1m' } = strategy;
  const { status, ...draft } = aKubeVirt('kubevirt', namespace)
    .methods(...methods)
    .batches(size, interval)
    .build();
  const path = `${KUBEVIRT_IO}/${namespace}/kubevirts`;
  if (await get(lab, `${path}/kubevirt`)) await patch(lab, `${path}/kubevirt`, { spec: draft.spec });
  else {
    await put(lab, path, { apiVersion: 'kubevirt.io/v1', ...draft });
    await patch(lab, `${path}/kubevirt/status`, { status });
  }
}

/** A running VMI with an old launcher, and its pod, which is gone at once when it is deleted. */
export async function runOldVm(
  lab: Lab,
  name: string,
  migratable: boolean,
  namespace = 'default',
  change: (vmi: Vmi) => Vmi = (vmi) => vmi,
): Promise<void> {
  const draft = change(
    aVmi(name, namespace)
      .on('n1')
      .launcher('launcher:v1')
      .strategy('None')
      .migratable(migratable ? 'True' : 'False')
      .build(),
  );
  const { uid: _, ...metadata } = draft.metadata;
  const made = await put(lab, `${KUBEVIRT_IO}/${namespace}/virtualmachineinstances`, {
    ...{ apiVersion: 'kubevirt.io/v1', ...draft, metadata },
  });
  const vmi = { ...draft, metadata: { ...metadata, uid: uidOf(made) } };
  const pod = aPod(`virt-launcher-${name}`, namespace).on('n1').launcherOf(vmi).build();
  const { uid: _uid, ownerReferences = [], ...podMetadata } = pod.metadata;
  const owners = ownerReferences.map((owner) => ({ ...owner, apiVersion: 'kubevirt.io/v1' }));
  const spec = {
    nodeName: 'n1',
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'compute', image: 'launcher:v1' }],
  };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { ...podMetadata, ownerReferences: owners }, spec };
  await put(lab, `/api/v1/namespaces/${namespace}/pods`, body);
  await patch(lab, `/api/v1/namespaces/${namespace}/pods/${podMetadata.name}/status`, {
    status: { phase: 'Running' },
  });
}

/** The Deployment that names the launcher image, with so many of its pods ready. */
export async function runVirtController(lab: Lab, readyReplicas = 1): Promise<void> {
  const containers = [{ name: 'c', image: 'i', args: ['--launcher-image', NEW_IMAGE] }];
  const labels = { app: 'virt-controller' };
  const path = '/apis/apps/v1/namespaces/default/deployments';
  await put(lab, path, {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'virt-controller' } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  const status = { replicas: readyReplicas, readyReplicas };
  await patch(lab, `${path}/virt-controller/status`, { status });
}

/** Takes away what the test before has left, the lease included. */
export async function clear(lab: Lab): Promise<void> {
  for (const [namespace, kinds] of [
    ['default', 'vmi,vmim,pods,kubevirts,deployments'],
    ['drover-system', 'leases'],
  ] as const) {
    const { stderr, code } = await lab.kubectl(['delete', kinds, '--all', '-n', namespace, '--wait=true']);
    if (code !== 0) throw new Error(stderr);
  }
}

/** A process of `drover controller`. */
export interface Replica {
  readonly child: ChildProcess;
  /** Lines of the log. */
  readonly lines: Record<string, unknown>[];
  /** What it said on stderr that is no line of the log. */
  readonly words: string[];
  /** Lines of stdout: the journal, where it goes there. */
  readonly told: Record<string, unknown>[];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts `drover controller` with short times for the lease. */
export function startReplica(kubeconfig: string, ...flags: readonly string[]): Replica {
  const times = ['--leader-elect-lease-duration', '3s', '--leader-elect-renew-deadline', '2s'];
  return startController(kubeconfig, [...times, '--leader-elect-retry-period', '300ms', ...flags]);
}

/** Starts `drover controller` on any free port. */
export function startController(kubeconfig: string, flags: readonly string[]): Replica {
  const program = fileURLToPath(new URL('../drover.ts', import.meta.url));
  const here = ['--kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--metrics-port', '0'];
  const args = [...here, ...flags];
  const child = spawn(process.execPath, ['--import', 'tsx', program, 'controller', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const replica = {
    child,
    lines: [] as Replica['lines'],
    words: [] as string[],
    told: [] as Replica['told'],
  };
  createInterface({ input: child.stdout }).on('line', (line) => replica.told.push(JSON.parse(line)));
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{')) replica.lines.push(JSON.parse(line));
    else replica.words.push(line);
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { ...replica, ended };
}

/** Waits for a line of the log, as long as the process runs. */
export function logged(
  { lines, child, words }: Replica,
  msg: string,
  fields: Readonly<Record<string, unknown>> = {},
  seconds = 40,
): Promise<Record<string, unknown>> {
  const isIt = (line: Record<string, unknown>): boolean =>
    line.msg === msg && Object.entries(fields).every(([name, value]) => line[name] === value);
  const look = () => {
    const found = lines.find(isIt);
    if (!found && child.exitCode !== null) throw new Error(`it has ended: ${words.join('\n')}`);
    return found;
  };
  return waitFor(look, { what: `"${msg}" in the log`, seconds });
}

/** A write that the API server took, by its audit log. */
export interface Audited {
  readonly at: number;
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
  readonly code: number;
  /** Of a migration: the VMI. */
  readonly vmi: string | undefined;
  readonly body: object | undefined;
}

/** What the API server was asked about a resource, dry runs left out; `pods/eviction` has the subresource in it. */
export function audited(lab: Lab, resource: string): Audited[] {
  return lab.audit().flatMap((entry) => {
    const { objectRef = {}, responseStatus, requestObject, user } = entry as unknown as Entry;
    const { resource: plural, subresource, name } = objectRef;
    const full = subresource === undefined ? plural : `${plural}/${subresource}`;
    if (full !== resource || String(entry.requestURI).includes('dryRun')) return [];
    return {
      at: Date.parse(String(entry.stageTimestamp)),
      user: user.username,
      verb: String(entry.verb),
      resource,
      name: name ?? requestObject?.metadata?.name ?? '',
      code: responseStatus?.code ?? 0,
      vmi: requestObject?.spec?.vmiName,
      body: requestObject,
    };
  });
}

interface Entry {
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: { readonly metadata?: { name?: string }; readonly spec?: { vmiName?: string } };
  readonly user: { readonly username: string };
}

/** Evictions that were accepted, oldest first. */
export const evictions = (lab: Lab): Audited[] =>
  audited(lab, 'pods/eviction').filter(({ code }) => code === 201);
/** Migrations that were created, oldest first. */
export const migrations = (lab: Lab): Audited[] =>
  audited(lab, 'virtualmachineinstancemigrations').filter(
    ({ verb, code }) => verb === 'create' && code === 201,
  );
