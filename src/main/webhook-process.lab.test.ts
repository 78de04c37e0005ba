import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { objectAt } from '../kubevirt/json.ts';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { waitFor } from '../lab/wait.ts';
import { type Balancer, startBalancer } from './test-balancer.ts';
import { evict, get, launcherOf, put, register, runVm, startWebhookLab, vmiPath } from './test-webhook.ts';

interface Replica {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly port: number;
  readonly metricsPort: number;
}

interface Role {
  readonly rules: readonly object[];
  /** In the namespace of the Secret alone. */
  readonly secretRules: readonly object[];
}

const rule = (group: string, resources: string, verbs: string, names?: readonly string[]): object => ({
  apiGroups: [group],
  resources: resources.split(','),
  verbs: verbs.split(','),
  ...(names ? { resourceNames: names } : {}),
});
const REGISTRATION = 'admissionregistration.k8s.io';

/** What each mode needs, and no more. */
const ROLES: Readonly<Record<'kubevirt' | 'guard', Role>> = {
  kubevirt: {
    rules: [
      rule('', 'pods', 'get'),
      rule('kubevirt.io', 'virtualmachineinstances', 'get,patch'),
      rule('kubevirt.io', 'kubevirts', 'list,watch'),
      rule(REGISTRATION, 'validatingwebhookconfigurations,mutatingwebhookconfigurations', 'get,patch', [
        'drover-webhook',
      ]),
    ],
    secretRules: [rule('', 'secrets', 'create'), rule('', 'secrets', 'get,update', ['drover-certs'])],
  },
  guard: {
    rules: [
      rule('', 'pods,namespaces,nodes', 'get'),
      rule('kubevirt.io', 'virtualmachines,virtualmachineinstances', 'get'),
      rule(REGISTRATION, 'mutatingwebhookconfigurations', 'get,patch', ['drover-guard']),
    ],
    secretRules: [rule('', 'secrets', 'create'), rule('', 'secrets', 'get,update', ['guard-certs'])],
  },
};

describeLab('drover webhook as processes with no more rights than they need', () => {
  let lab: Lab;
  let balancer: Balancer;
  let replicas: Replica[] = [];

  beforeAll(async () => {
    lab = await startWebhookLab();
    balancer = await startBalancer();
    for (const [name, role] of Object.entries(ROLES)) await grant(name, role);
  }, 90_000);
  afterEach(() => {
    for (const { child } of replicas) child.kill('SIGKILL');
    replicas = [];
  });
  afterAll(async () => {
    balancer?.close();
    await lab?.stop();
  });

  async function grant(name: string, { rules, secretRules }: Role): Promise<void> {
    const api = '/apis/rbac.authorization.k8s.io/v1';
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
    const apiGroup = 'rbac.authorization.k8s.io';
    const metadata = { name };
    await put(lab, `${api}/clusterroles`, { apiVersion, kind: 'ClusterRole', metadata, rules });
    await put(lab, `${api}/clusterrolebindings`, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      subjects,
      roleRef: { apiGroup, kind: 'ClusterRole', name },
    });
    const local = `${api}/namespaces/default`;
    await put(lab, `${local}/roles`, { apiVersion, kind: 'Role', metadata, rules: secretRules });
    await put(lab, `${local}/rolebindings`, {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      subjects,
      roleRef: { apiGroup, kind: 'Role', name },
    });
  }

  /** Starts `drover webhook`, and waits until it says that it serves. */
  async function start(account: string, ...flags: readonly string[]): Promise<Replica> {
    const kubeconfig = await lab.kubeconfigForAccount(`default/${account}`);
    const program = fileURLToPath(new URL('drover.ts', import.meta.url));
    const common = [
      '--kubeconfig',
      kubeconfig,
      '--bootstrap-certs',
      '--url',
      `https://127.0.0.1:${balancer.port}`,
    ];
    const ports = ['--bind-address', '127.0.0.1', '--port', '0', '--metrics-port', '0', '--stop-delay', '1s'];
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', program, 'webhook', ...common, ...ports, ...flags],
      {
        stdio: ['ignore', 'inherit', 'pipe'],
      },
    );
    const lines: Replica['lines'] = [];
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(JSON.parse(line)));
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const serving = await waitFor(() => lines.find(({ msg }) => msg === 'serving'), {
      what: 'it to serve',
      seconds: 40,
    });
    const { port, metricsPort } = serving as { port: number; metricsPort: number };
    const replica = { child, lines, ended, port, metricsPort };
    replicas.push(replica);
    return replica;
  }

  /** Requests that the API server refused to an account. */
  const forbidden = (account: string): unknown[] =>
    lab
      .audit()
      .filter(
        ({ user, responseStatus }) =>
          (user as { username: string }).username.endsWith(`:${account}`) &&
          (responseStatus as { code?: number } | undefined)?.code === 403,
      )
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`);

  it('two replicas in the place of KubeVirt; one is asked to end, and nobody notices', async () => {
    const [one, two] = await Promise.all([
      start('kubevirt', '--secret', 'default/drover-certs'),
      start('kubevirt', '--secret', 'default/drover-certs'),
    ]);
    balancer.setPorts([one.port, two.port]);
    await register(lab, balancer, { trust: false });
    const expected =
      'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Eviction triggered evacuation of VMI "default/db"';
    await waitFor(
      () =>
        runVm(lab, 'db', { strategy: 'LiveMigrate', migratable: 'True' }).then(
          () => true,
          () => false,
        ),
      { what: 'the API server to trust them' },
    );
    const tryOnce = async (): Promise<string> =>
      (await evict(lab, launcherOf('db'), { dryRun: true })).message;
    await waitFor(async () => (await tryOnce()) === expected, { what: 'the answer' });

    const answers: string[] = [];
    let done = false;
    const evicting = Promise.all(
      Array.from({ length: 6 }, async () => {
        while (!done) answers.push(await tryOnce());
      }),
    );
    await waitFor(() => balancer.handed.size === 2, { what: 'connections to both' });
    const unready = waitFor(
      async () => (await fetch(`http://127.0.0.1:${one.metricsPort}/readyz`)).status === 503,
      { what: 'it not to be ready' },
    );
    one.child.kill('SIGTERM');
    await unready;
    balancer.setPorts([two.port]);
    expect(await one.ended).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    done = true;
    await evicting;
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((message) => message !== expected)).toEqual([]);

    expect((await evict(lab, launcherOf('db'))).code).toBe(429);
    expect(objectAt((await get(lab, vmiPath('db'))) ?? {}, 'status').evacuationNodeName).toBe('n1');
    expect(two.lines).toContainEqual(
      expect.objectContaining({
        level: 'info',
        msg: 'refused',
        webhook: 'pod-eviction',
        namespace: 'default',
        name: launcherOf('db'),
        dryRun: false,
        reason: 'EvacuationTriggered',
        code: 429,
        message: 'Eviction triggered evacuation of VMI "default/db"',
      }),
    );
    two.child.kill('SIGTERM');
    expect(await two.ended).toBe(0);
    expect(forbidden('kubevirt')).toEqual([]);
    for (const kind of ['validating', 'mutating'])
      await lab.kubectl(['delete', `${kind}webhookconfiguration`, 'drover-webhook']);
  });

  it('the guard', async () => {
    const guard = await start(
      'guard',
      '--guard',
      '--secret',
      'default/guard-certs',
      '--default-strategy',
      'External:role=worker',
    );
    balancer.setPorts([guard.port]);
    await register(lab, balancer, { guard: true, trust: false });
    await runVm(lab, 'pet', { strategy: 'None', vmAnnotations: { 'drover.dev/eviction': 'never' } });
    const answer = () => evict(lab, launcherOf('pet'), { dryRun: true });
    await waitFor(async () => (await answer()).code === 429, { what: 'a refusal' });
    expect((await answer()).message).toContain('VM default/pet must not be evicted');
    await runVm(lab, 'worker', { labels: { role: 'worker' } });
    expect(objectAt((await get(lab, vmiPath('worker'))) ?? {}, 'spec').evictionStrategy).toBe('External');
    expect((await evict(lab, launcherOf('worker'))).code).toBe(201);
    expect(forbidden('guard')).toEqual([]);
  });
});
