import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { configurationsOf, type WebhookMode } from '../src/admission/registration.ts';
import { yamlView } from '../src/forecast/views/yaml.ts';
import { groupBy } from '../src/kubevirt/group-by.ts';
import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import { runHelm } from '../src/lab/helm.ts';
import { agentRights } from '../src/lab/played/agent-rights.ts';

/**
 * What stands in `deploy/` and is derived: the chart's webhooks, from Drover's own registrations; and the kustomize overlays,
 * from the chart. So each manifest is written by hand once. A test tells what is stale.
 */

export const CHART = 'deploy/helm/drover';
/** All of it is written. */
export const KUSTOMIZE = 'deploy/kustomize';
const WRITTEN = '# Written by `npm run manifests`; do not edit.\n';
/** The namespace of the overlays; another one is set there by kustomize. */
const NAMESPACE = 'drover-system';

/** Overlay → the values of the chart that it stands for, besides that nothing else is enabled. */
export const OVERLAYS: Readonly<Record<string, readonly string[]>> = {
  base: ['namespace.create=true'],
  controller: ['controller.enabled=true'],
  'controller-by-cr': ['controller.enabled=true', 'controller.strategy.from=kubevirt'],
  webhook: ['webhook.enabled=true'],
  guard: ['guard.enabled=true'],
  check: ['check.enabled=true'],
  monitoring: ['monitoring.prometheusRule.enabled=true', 'monitoring.serviceMonitor.enabled=true'],
};
const NOTHING = ['controller', 'webhook', 'guard', 'check'].map((part) => `${part}.enabled=false`);

/** Parts of the chart's webhook files → the mode in which Drover registers them. */
const MODES: Readonly<Record<string, WebhookMode>> = { guard: 'guard', webhook: 'kubevirt' };

/** By path, `files/guard-webhooks.yaml` and its like: the webhooks of each kind of configuration, without where they are. */
export function webhookFiles(): ReadonlyMap<string, string> {
  const files = Object.entries(MODES).map(([part, mode]): [string, string] => {
    const address = { service: { namespace: '', name: '', port: 443 } };
    const byKind = configurationsOf({ mode, address }).map((configuration) => [
      configuration.kind,
      objectsAt(configuration, 'webhooks').map(withoutPlace),
    ]);
    return [join(CHART, 'files', `${part}-webhooks.yaml`), WRITTEN + yamlView(Object.fromEntries(byKind))];
  });
  return new Map(files);
}

function withoutPlace(webhook: JsonObject): JsonObject {
  const { namespace: _, name: __, ...service } = objectAt(objectAt(webhook, 'clientConfig'), 'service');
  return { ...webhook, clientConfig: { service } };
}

/** By path: what `drover lab agents` needs on a cluster where KubeVirt has its usual namespace. */
export function labFiles(): ReadonlyMap<string, string> {
  return new Map([['deploy/lab/agents.yaml', WRITTEN + agentRights('kubevirt').map(yamlView).join('---\n')]]);
}

/** By path: the objects of each overlay, sorted into files by what they are about. */
export async function kustomizeFiles(): Promise<ReadonlyMap<string, string>> {
  const overlays = await Promise.all(
    Object.keys(OVERLAYS).map(async (overlay) => filesOf(overlay, await renderOverlay(overlay))),
  );
  return new Map(overlays.flat());
}

/** The objects of an overlay as the chart has them, less what says that helm made them. */
export async function renderOverlay(overlay: string): Promise<JsonObject[]> {
  const values = [...NOTHING, ...(OVERLAYS[overlay] ?? [])];
  return (await renderChart(values.map((value) => `--set=${value}`))).map(withoutHelm);
}

/** What `helm template` gives. Throws what helm says. */
export async function renderChart(flags: readonly string[]): Promise<JsonObject[]> {
  const { code, stdout, stderr } = await runHelm(['template', 'drover', CHART, '-n', NAMESPACE, ...flags]);
  if (code !== 0) throw new Error(stderr);
  return loadAll(stdout).filter((object) => object !== null && object !== undefined) as JsonObject[];
}

const HELM_LABELS = ['app.kubernetes.io/managed-by', 'helm.sh/chart'];

function withoutHelm(object: unknown): JsonObject {
  return JSON.parse(JSON.stringify(object), (key, value: unknown) => {
    if (key !== 'labels' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([label]) => !HELM_LABELS.includes(label)));
  }) as JsonObject;
}

const FILES: Readonly<Record<string, string>> = {
  Namespace: 'namespace',
  ConfigMap: 'strategy',
  Deployment: 'deployment',
  Service: 'network',
  NetworkPolicy: 'network',
  PodDisruptionBudget: 'budget',
  MutatingWebhookConfiguration: 'webhooks',
  ValidatingWebhookConfiguration: 'webhooks',
  ValidatingAdmissionPolicy: 'policy',
  ValidatingAdmissionPolicyBinding: 'policy',
  ServiceMonitor: 'service-monitor',
  PrometheusRule: 'alerts',
};

/** The base and the components have the objects; an overlay is the base with one component. */
function filesOf(overlay: string, objects: readonly JsonObject[]): [string, string][] {
  const files = groupBy(objects, ({ kind }) => FILES[String(kind)] ?? 'rbac');
  const isBase = overlay === 'base';
  const folder = isBase ? 'base' : `components/${overlay}`;
  const resources = [...files.keys()].sort().map((name) => `${name}.yaml`);
  const texts = [...files].map(([name, held]): [string, string] => [
    join(KUSTOMIZE, folder, `${name}.yaml`),
    WRITTEN + held.map(yamlView).join('---\n'),
  ]);
  if (isBase) return [kustomization(folder, 'Kustomization', { resources }), ...texts];
  const whole = { resources: ['../../base'], components: [`../../components/${overlay}`] };
  return [
    kustomization(folder, 'Component', { resources }),
    kustomization(`overlays/${overlay}`, 'Kustomization', whole),
    ...texts,
  ];
}

function kustomization(folder: string, kind: 'Component' | 'Kustomization', body: object): [string, string] {
  const version = kind === 'Component' ? 'v1alpha1' : 'v1beta1';
  const content = { apiVersion: `kustomize.config.k8s.io/${version}`, kind, ...body };
  return [join(KUSTOMIZE, folder, 'kustomization.yaml'), WRITTEN + yamlView(content)];
}
