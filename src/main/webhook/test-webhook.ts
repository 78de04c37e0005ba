import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { WebhookManifests, WebhookRequest } from '../../cli/services.ts';
import type { Log } from '../../controllers/ports.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { kubevirtCrds } from '../../lab/objects/crds.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import { type RunningWebhook, startWebhook } from '../webhook.ts';
import { webhookManifests } from './webhook-manifests.ts';

/** A lab in which pods can be made without the accounts and the scheduler of a whole cluster, with KubeVirt's kinds and nodes. */
export async function startWebhookLab(nodes: readonly string[] = ['n1', 'n2']): Promise<Lab> {
  const lab = await startLab({ apiServerFlags: ['--disable-admission-plugins=ServiceAccount'] });
  await loadCrds(lab.admin, kubevirtCrds());
  for (const name of nodes)
    await put(lab, '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  return lab;
}

/** Creates an object, or throws what the API server says. */
export async function put(lab: Lab, path: string, body: object): Promise<JsonObject> {
  const answer = await lab.admin.call({ method: 'POST', path, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
  return answer.object;
}

export async function patch(lab: Lab, path: string, body: object): Promise<JsonObject> {
  const contentType = 'application/merge-patch+json';
  const answer = await lab.admin.call({ method: 'PATCH', path, body, contentType });
  if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
  return answer.object;
}

/** An object as it is now; undefined where there is none. */
export async function get(lab: Lab, path: string): Promise<JsonObject | undefined> {
  const answer = await lab.admin.call({ method: 'GET', path });
  if (!answer.ok && answer.code !== 404) throw new Error(`${path}: ${answer.message}`);
  return answer.ok ? answer.object : undefined;
}

export const vmiPath = (name: string, namespace = 'default'): string =>
  `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`;
export const podPath = (name: string, namespace = 'default'): string =>
  `/api/v1/namespaces/${namespace}/pods/${name}`;
export const launcherOf = (vmi: string): string => `virt-launcher-${vmi}`;

export interface VmOptions {
  readonly namespace?: string;
  readonly node?: string;
  readonly strategy?: string | undefined;
  /** Status of the condition; absent where undefined. */
  readonly migratable?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  /** On the VM, which there is only where this is given. */
  readonly vmAnnotations?: Readonly<Record<string, string>>;
}

/** A VM that runs: its VMI, its launcher pod, and the VM itself where it says something. */
export async function runVm(lab: Lab, name: string, options: VmOptions = {}): Promise<void> {
  const { namespace = 'default', node = 'n1', strategy, migratable, labels, vmAnnotations } = options;
  const root = `/apis/kubevirt.io/v1/namespaces/${namespace}`;
  if (vmAnnotations) {
    await put(lab, `${root}/virtualmachines`, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name, annotations: vmAnnotations },
      spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } },
    });
  }
  const vmi = await put(lab, `${root}/virtualmachineinstances`, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, labels },
    spec: { domain: { devices: {} }, ...(strategy === undefined ? {} : { evictionStrategy: strategy }) },
    status: {
      phase: 'Running',
      nodeName: node,
      conditions: migratable === undefined ? [] : [{ type: 'LiveMigratable', status: migratable }],
    },
  });
  await runPod(lab, launcherOf(name), {
    namespace,
    node,
    labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': uidOf(vmi) },
    annotations: { 'kubevirt.io/domain': name },
    owner: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      name,
      uid: uidOf(vmi),
      controller: true,
    },
  });
}

export interface PodOptions {
  readonly namespace?: string;
  readonly node?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner?: JsonObject;
}

/** A pod that runs as far as the API server knows; deleted, it is gone at once. */
export async function runPod(lab: Lab, name: string, options: PodOptions = {}): Promise<JsonObject> {
  const { namespace = 'default', node = 'n1', labels, annotations, owner } = options;
  const pod = await put(lab, `/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, annotations, ...(owner ? { ownerReferences: [owner] } : {}) },
    spec: { nodeName: node, terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
  });
  await patch(lab, `${podPath(name, namespace)}/status`, { status: { phase: 'Running' } });
  return pod;
}

export function uidOf(object: JsonObject): string {
  return String(objectAt(object, 'metadata').uid);
}

export interface Evicted {
  readonly code: number;
  readonly message: string;
}

export interface EvictOptions {
  readonly namespace?: string;
  readonly dryRun?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Evicts a pod as kubectl does, and gives what the client gets. */
export async function evict(lab: Lab, pod: string, options: EvictOptions = {}): Promise<Evicted> {
  const { namespace = 'default', dryRun, annotations } = options;
  const answer = await lab.admin.call({
    method: 'POST',
    path: `${podPath(pod, namespace)}/eviction`,
    query: dryRun ? { dryRun: 'All' } : {},
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace, annotations } },
  });
  return answer.ok
    ? { code: 201, message: String(answer.object.status) }
    : { code: answer.code ?? 0, message: answer.message };
}

export interface Served extends RunningWebhook {
  readonly logged: {
    readonly level: string;
    readonly message: string;
    readonly fields: Record<string, unknown>;
  }[];
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Starts a webhook server with a certificate of the lab on any free port. */
export async function serve(lab: Lab, change: Partial<WebhookRequest> = {}): Promise<Served> {
  const name = Math.random().toString(36).slice(2, 8);
  const certificateFile = join(lab.folder, `webhook-${name}.crt`);
  const keyFile = join(lab.folder, `webhook-${name}.key`);
  await writeCertificate(lab, { certificateFile, keyFile });
  const logged: Served['logged'] = [];
  const log: Log = { write: (level, message, fields = {}) => void logged.push({ level, message, fields }) };
  const request = requestFor(lab, { certificate: { certificateFile, keyFile }, ...change });
  const running = await startWebhook(request, log, new AbortController().signal);
  return { ...running, logged, certificateFile, keyFile };
}

/** Writes another certificate of the lab's authority. */
export async function writeCertificate(
  lab: Lab,
  { certificateFile, keyFile }: { readonly certificateFile: string; readonly keyFile: string },
): Promise<void> {
  const { certificate, key } = await lab.serverCertificate();
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key);
}

function requestFor(lab: Lab, change: Partial<WebhookRequest>): WebhookRequest {
  return {
    guard: false,
    service: { namespace: 'default', name: 'drover' },
    secret: { namespace: 'default', name: 'drover-certs' },
    source: { kubeconfig: lab.kubeconfig },
    behavior: 'intended',
    defaults: [],
    bindAddress: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    metricsTls: false,
    certificate: 'bootstrap',
    answerWithinSeconds: 8,
    mostBytes: 4 * 1024 * 1024,
    stopDelaySeconds: 0,
    logLevel: 'info',
    ...change,
  };
}

/**
 * Registers the webhooks of a server, or of whatever listens on the port, with kubectl, as a user does with the manifests
 * that Drover prints. Trusts the lab's authority unless nothing is to be trusted yet.
 */
export async function register(
  lab: Lab,
  { port }: { readonly port: number },
  change: Partial<WebhookManifests> & { readonly trust?: boolean } = {},
): Promise<void> {
  const manifests = await webhookManifests({
    guard: false,
    service: { namespace: 'default', name: 'drover' },
    secret: { namespace: 'default', name: 'drover-certs' },
    url: `https://127.0.0.1:${port}`,
    ...change,
  });
  const caBundle = Buffer.from(lab.authority).toString('base64');
  for (const text of manifests.split('---\n')) {
    const configuration = load(text) as { webhooks: { clientConfig: object }[] };
    if (change.trust !== false)
      for (const webhook of configuration.webhooks) Object.assign(webhook.clientConfig, { caBundle });
    const applied = await lab.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(configuration) });
    if (applied.code !== 0) throw new Error(applied.stderr);
  }
}

/** Waits until the API server asks one of these: it takes new configurations in with some delay. */
export async function untilAsked(lab: Lab, ...servers: readonly Pick<Served, 'logged'>[]): Promise<void> {
  const name = `virt-launcher-probe-${Math.random().toString(36).slice(2, 8)}`;
  const annotations = { 'kubevirt.io/domain': name };
  await runPod(lab, name, { labels: { 'kubevirt.io': 'virt-launcher' }, annotations });
  for (let i = 0; i < 200; i += 1) {
    const { code } = await evict(lab, name, { dryRun: true });
    if (servers.some(({ logged }) => logged.some(({ fields }) => fields.name === name))) break;
    if (code !== 201 && code !== 429 && code !== 500) throw new Error(`the probe was answered ${code}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await lab.admin.call({ method: 'DELETE', path: podPath(name) });
}
