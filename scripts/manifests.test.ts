import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { CONTROLLER_METRIC_FACTS } from '../src/controllers/metric-facts.ts';
import { ownStrategy } from '../src/controllers/strategy.ts';
import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import { runHelm } from '../src/lab/helm.ts';
import { METRIC_FACTS } from '../src/main/metric-facts.ts';
import { KUSTOMIZE, kustomizeFiles, renderChart, webhookFiles } from './manifest-files.ts';

const CHART = 'deploy/helm/drover';
const EVERYTHING = [
  ...['controller', 'guard', 'webhook', 'check'].map((part) => `${part}.enabled=true`),
  'monitoring.serviceMonitor.enabled=true',
  'monitoring.prometheusRule.enabled=true',
  'namespace.create=true',
];
const CERT_MANAGER = [
  'certificates.source=cert-manager',
  'certificates.issuer.kind=ClusterIssuer',
  'certificates.issuer.name=corp',
];
const set = (values: readonly string[]): string[] => values.map((value) => `--set=${value}`);
const render = (...values: readonly string[]): Promise<JsonObject[]> => renderChart(set(values));

const nameOf = (object: JsonObject): string => String(objectAt(object, 'metadata').name);
const listed = (objects: readonly JsonObject[]): string[] =>
  objects.map((object) => `${object.kind} ${nameOf(object)}`).sort();
const ofKind = (objects: readonly JsonObject[], kind: string): JsonObject[] =>
  objects.filter((object) => object.kind === kind);
const podSpec = (objects: readonly JsonObject[]): JsonObject => {
  const [deployment = {}] = ofKind(objects, 'Deployment');
  return objectAt(objectAt(objectAt(deployment, 'spec'), 'template'), 'spec');
};
const container = (objects: readonly JsonObject[]): JsonObject =>
  objectsAt(podSpec(objects), 'containers')[0] ?? {};

describe('what is derived', () => {
  it('is what `npm run manifests` writes', async () => {
    const files = [...webhookFiles(), ...(await kustomizeFiles())];
    for (const [path, text] of files) expect(readFileSync(path, 'utf8'), path).toBe(text);
    const written = readdirSync(KUSTOMIZE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`);
    expect(written.sort()).toEqual(
      files
        .map(([path]) => path)
        .filter((path) => path.startsWith(KUSTOMIZE))
        .sort(),
    );
  });

  it('the chart is of the version of the program', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(load(readFileSync(`${CHART}/Chart.yaml`, 'utf8'))).toMatchObject({ version, appVersion: version });
  });
});

describe('the chart', () => {
  it.each([
    ['as it is', []],
    ['with everything', EVERYTHING],
    ['with cert-manager', [...EVERYTHING, ...CERT_MANAGER]],
  ])('passes helm lint %s', async (_, values) => {
    const { code, stdout } = await runHelm(['lint', '--strict', CHART, ...set(values)]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  it('is the guard, where nothing else is said', async () => {
    expect(listed(await render())).toEqual([
      'ClusterRole drover-guard',
      'ClusterRoleBinding drover-guard',
      'Deployment drover-guard',
      'MutatingWebhookConfiguration drover-guard',
      'NetworkPolicy drover-guard',
      'PodDisruptionBudget drover-guard',
      'Role drover-guard',
      'RoleBinding drover-guard',
      'Service drover-guard',
      'ServiceAccount drover-guard',
    ]);
  });

  it('gives no right to make or change certificates where cert-manager does', async () => {
    const objects = await render(...CERT_MANAGER);
    expect(listed(objects)).not.toContain('Role drover-guard');
    const rules = ofKind(objects, 'ClusterRole').flatMap((role) => objectsAt(role, 'rules'));
    expect(rules.flatMap(({ verbs }) => verbs)).toEqual(['get', 'get']);
    const [certificate = {}] = ofKind(objects, 'Certificate');
    expect(certificate.spec).toEqual({
      secretName: 'drover-guard-certs',
      dnsNames: ['drover-guard.drover-system.svc'],
      issuerRef: { kind: 'ClusterIssuer', name: 'corp' },
    });
    const [configuration = {}] = ofKind(objects, 'MutatingWebhookConfiguration');
    expect(objectAt(configuration, 'metadata').annotations).toEqual({
      'cert-manager.io/inject-ca-from': 'drover-system/drover-guard-certs',
    });
    expect(container(objects).args).toContain('--tls-cert=/etc/drover/certificates/tls.crt');
    expect(container(objects).args).not.toContain('--bootstrap-certs');
    expect(podSpec(objects).volumes).toEqual([
      { name: 'certificates', secret: { secretName: 'drover-guard-certs', defaultMode: 0o440 } },
    ]);
    // Without it the user of the process could not read them.
    expect(objectAt(podSpec(objects), 'securityContext').fsGroup).toBe(65532);
  });

  it('puts a given authority into every webhook', async () => {
    const pem = '-----BEGIN CERTIFICATE-----';
    const objects = await render(
      'certificates.source=secret',
      `certificates.caBundle=${pem}`,
      'webhook.enabled=true',
    );
    const webhooks = objects
      .filter(({ kind }) => String(kind).endsWith('WebhookConfiguration'))
      .flatMap((configuration) => objectsAt(configuration, 'webhooks'));
    const given = webhooks.map((webhook) => objectAt(webhook, 'clientConfig').caBundle);
    expect(given).toEqual(Array(5).fill(Buffer.from(pem).toString('base64')));
  });

  it('gives the controller its strategy, and the right to the status of KubeVirt only where it stands in for it', async () => {
    const rights = (objects: readonly JsonObject[]): string[] =>
      ofKind(objects, 'ClusterRole')
        .flatMap((role) => objectsAt(role, 'rules'))
        .flatMap(({ resources }) => resources as string[]);
    const only = ['guard.enabled=false', 'controller.enabled=true'];
    const own = await render(
      ...only,
      'controller.strategy.workloadUpdateMethods={LiveMigrate,Evict}',
      'controller.strategy.batchEvictionSize=3',
      'controller.strategy.batchEvictionInterval=90s',
      'controller.launcherImage=launcher:v2',
      'controller.metricsAuth=true',
      'controller.behavior=exact',
    );
    const [config = {}] = ofKind(own, 'ConfigMap');
    const text = String(objectAt(config, 'data')['strategy.yaml']);
    expect(ownStrategy(load(text), 'the ConfigMap')).toEqual({
      kind: 'own',
      methods: ['LiveMigrate', 'Evict'],
      batchEvictionSize: 3,
      batchEvictionIntervalSeconds: 90,
    });
    expect(container(own).args).toEqual([
      'controller',
      '--leader-elect-resource-namespace=$(POD_NAMESPACE)',
      '--strategy-from-file=/etc/drover/strategy/strategy.yaml',
      '--launcher-image=launcher:v2',
      '--metrics-auth',
      '--behavior=exact',
      '--log-level=info',
    ]);
    expect(rights(own)).toContain('tokenreviews');
    expect(rights(own)).not.toContain('kubevirts/status');
    const byCr = await render(...only, 'controller.strategy.from=kubevirt');
    expect(rights(byCr)).toContain('kubevirts/status');
    expect(rights(byCr)).not.toContain('tokenreviews');
    expect(listed(byCr)).not.toContain('ConfigMap drover-strategy');
    expect(podSpec(byCr).volumes).toBeUndefined();
  });

  it('takes what is usual', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const objects = await render(
      'guard.replicas=3',
      'guard.priorityClassName=high',
      'guard.nodeSelector.zone=a',
      'guard.tolerations[0].operator=Exists',
      'guard.extraArgs[0]=--answer-within=3s',
      'guard.extraEnv[0].name=TZ,guard.extraEnv[0].value=UTC',
      'guard.defaultStrategies[0]=External:role=worker',
      'guard.podLabels.team=infra',
      `image.repository=example/drover,image.digest=${digest}`,
      'imagePullSecrets[0].name=pull',
      'logLevel=debug',
      'podDisruptionBudget.enabled=false',
      'networkPolicy.enabled=false',
      'commonLabels.owner=sre',
    );
    expect(podSpec(objects)).toMatchObject({
      priorityClassName: 'high',
      nodeSelector: { zone: 'a' },
      tolerations: [{ operator: 'Exists' }],
      imagePullSecrets: [{ name: 'pull' }],
    });
    expect(container(objects).image).toBe(`example/drover@${digest}`);
    expect(container(objects).args).toEqual([
      'webhook',
      '--guard',
      '--service=$(POD_NAMESPACE)/drover-guard',
      '--bootstrap-certs',
      '--secret=$(POD_NAMESPACE)/drover-guard-certs',
      '--default-strategy=External:role=worker',
      '--log-level=debug',
      '--answer-within=3s',
    ]);
    expect(container(objects).env).toContainEqual({ name: 'TZ', value: 'UTC' });
    const [deployment = {}] = ofKind(objects, 'Deployment');
    expect(deployment.spec).toMatchObject({
      replicas: 3,
      template: { metadata: { labels: { team: 'infra' } } },
    });
    expect(objects.map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
    expect(objects.map(({ kind }) => kind)).not.toContain('NetworkPolicy');
    for (const object of objects) expect(objectAt(object, 'metadata').labels).toMatchObject({ owner: 'sre' });
  });

  it('keeps its own labels, whatever else is wanted', async () => {
    const [deployment = {}] = ofKind(
      await render(
        'guard.podLabels.a=pod',
        'commonLabels.a=all',
        'commonLabels.b=all',
        String.raw`commonLabels.app\.kubernetes\.io/name=x`,
      ),
      'Deployment',
    );
    const own = { 'app.kubernetes.io/name': 'drover', 'app.kubernetes.io/component': 'guard' };
    expect(objectAt(deployment, 'metadata').labels).toMatchObject({ ...own, a: 'all', b: 'all' });
    const template = objectAt(objectAt(deployment, 'spec'), 'template');
    expect(objectAt(template, 'metadata').labels).toMatchObject({ ...own, a: 'pod', b: 'all' });
  });

  it('narrows the network', async () => {
    const [policy = {}] = ofKind(
      await render(
        'networkPolicy.apiServerPorts={6443}',
        'networkPolicy.apiServerCidrs={10.0.0.1/32}',
        'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring',
      ),
      'NetworkPolicy',
    );
    expect(policy.spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          ports: [{ port: 'metrics', protocol: 'TCP' }],
          from: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
        },
        { ports: [{ port: 'webhooks', protocol: 'TCP' }] },
      ],
      egress: [{ ports: [{ port: 6443, protocol: 'TCP' }], to: [{ ipBlock: { cidr: '10.0.0.1/32' } }] }],
    });
  });

  it.each([
    ['guard.enabled=maybe', '/guard/enabled'],
    ['guard.replica=3', "additional properties 'replica' not allowed"],
    ['guard.replicas=-1', '/guard/replicas'],
    ['guard.defaultStrategies={Migrate}', '/guard/defaultStrategies/0'],
    ['guard.extraArgs={verbose}', '/guard/extraArgs/0'],
    ['controller.strategy.from=file', '/controller/strategy/from'],
    ['controller.strategy.workloadUpdateMethods={Migrate}', '/controller/strategy/workloadUpdateMethods/0'],
    ['controller.strategy.batchEvictionSize=0', '/controller/strategy/batchEvictionSize'],
    ['controller.strategy.batchEvictionInterval=soon', '/controller/strategy/batchEvictionInterval'],
    ['controller.behavior=wild', '/controller/behavior'],
    ['image.pullPolicy=Sometimes', '/image/pullPolicy'],
    ['image.digest=latest', '/image/digest'],
    ['logLevel=loud', '/logLevel'],
    ['certificates.source=letsencrypt', '/certificates/source'],
    ['certificates.source=cert-manager', '/certificates/issuer/name'],
    ['certificates.caBundle=secret', '/certificates/caBundle'],
    ['networkPolicy.apiServerPorts={0}', '/networkPolicy/apiServerPorts/0'],
    ['networkPolicy.apiServerCidrs={10.0.0.1}', '/networkPolicy/apiServerCidrs/0'],
    ['monitoring.serviceMonitor.interval=often', '/monitoring/serviceMonitor/interval'],
    ['monitoring.prometheusRule.runbookBaseUrl=http://x/', '/monitoring/prometheusRule/runbookBaseUrl'],
    ['gard.enabled=true', "additional properties 'gard' not allowed"],
  ])('refuses %s', async (value, where) => {
    const { code, stderr } = await runHelm(['template', 'drover', CHART, `--set=${value}`]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(where)]);
  });
});

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
const { groups } = load(readFileSync(`${CHART}/files/alerts.yaml`, 'utf8')) as {
  groups: { rules: Alert[] }[];
};
const ALERTS = groups.flatMap(({ rules }) => rules);

/** Texts of all nodes of a kind in an expression of Prometheus. */
function nodesOf(expr: string, name: string): string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.name === name) found.push(expr.slice(node.from, node.to));
    },
  });
  return found;
}

describe.each(ALERTS.map((alert) => [alert.alert, alert] as const))('alert %s', (name, alert) => {
  it('is an expression of Prometheus over metrics that there are', () => {
    expect(nodesOf(alert.expr, '⚠')).toEqual([]);
    const known = ['up', ...Object.keys(METRIC_FACTS), ...Object.keys(CONTROLLER_METRIC_FACTS)];
    const read = nodesOf(alert.expr, 'VectorSelector').map((text) => text.replace(/\{.*/s, ''));
    expect(read.length).toBeGreaterThan(0);
    for (const metric of read) expect(known).toContain(metric.replace(/_bucket$/, ''));
  });

  it('speaks of labels that it has', () => {
    const [grouped = ''] = nodesOf(alert.expr, 'GroupingLabels');
    const told = JSON.stringify(alert.annotations).matchAll(/\$labels\.(\w+)/g);
    for (const [, label = ''] of told) expect(grouped).toContain(label);
    expect(Object.keys(alert.annotations)).toEqual(['summary', 'description']);
    expect(['critical', 'warning', 'info']).toContain(alert.labels.severity);
  });

  it('has a page that says what it means, what it does, and what to do', () => {
    const page = readFileSync(`docs/runbooks/${name}.md`, 'utf8');
    for (const heading of [`# ${name}`, '## Meaning', '## Impact', '## What to do'])
      expect(page).toContain(`${heading}\n`);
  });
});

describe('the alerts', () => {
  it('have no page too many', () => {
    expect(readdirSync('docs/runbooks').sort()).toEqual(ALERTS.map(({ alert }) => `${alert}.md`).sort());
  });

  it('say where their pages are', async () => {
    const base = 'https://example.org/runbooks';
    const [rule = {}] = ofKind(
      await render(
        'monitoring.prometheusRule.enabled=true',
        `monitoring.prometheusRule.runbookBaseUrl=${base}`,
      ),
      'PrometheusRule',
    );
    const [group = {}] = objectsAt(objectAt(rule, 'spec'), 'groups');
    const urls = objectsAt(group, 'rules').map((alert) => objectAt(alert, 'annotations').runbook_url);
    expect(urls).toEqual(ALERTS.map(({ alert }) => `${base}/${alert}.md`));
  });
});
