import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { ownStrategy } from '../src/controllers/strategy.ts';
import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import { runHelm } from '../src/lab/helm.ts';
import { CHART, renderChart } from './manifest-files.ts';

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

  it('gives no right to everything, and none to look at Secrets in general', async () => {
    const roles = (await render(...EVERYTHING)).filter(({ kind }) => /^(Cluster)?Role$/.test(String(kind)));
    expect(roles.length).toBeGreaterThan(5);
    for (const { apiGroups, resources, verbs, resourceNames, ...others } of roles.flatMap((role) =>
      objectsAt(role, 'rules'),
    )) {
      expect([apiGroups, resources, verbs].flat()).not.toContain('*');
      expect(others).toEqual({});
      if ([resources].flat().includes('secrets') && !resourceNames) expect(verbs).toEqual(['create']);
    }
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
        'networkPolicy.dns=true',
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
      egress: [
        { ports: [{ port: 6443, protocol: 'TCP' }], to: [{ ipBlock: { cidr: '10.0.0.1/32' } }] },
        {
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
      ],
    });
  });
});
