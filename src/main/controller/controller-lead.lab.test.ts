import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import { get, patch, put } from '../webhook/test-webhook.ts';
import {
  clear,
  evictions,
  logged,
  migrations,
  NEW_IMAGE,
  type Replica,
  runOldVm,
  setStrategy,
  startControllerLab,
  startReplica,
} from './test-controller.ts';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/drover-system/leases/drover-controller';

interface Lease {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly holderIdentity: string };
}

describeLab('drover controller, its lead and its listener', () => {
  let lab: Lab;
  const replicas: Replica[] = [];

  beforeAll(async () => {
    lab = await startControllerLab();
  }, 90_000);
  afterEach(async () => {
    for (const { child } of replicas.splice(0)) child.kill('SIGKILL');
    await clear(lab);
  });
  afterAll(() => lab?.stop());

  function start(...flags: readonly string[]): Replica {
    const replica = startReplica(lab.kubeconfig, '--launcher-image', NEW_IMAGE, ...flags);
    replicas.push(replica);
    return replica;
  }

  it('stops acting when the lead is taken from it, and acts again when it has it back', async () => {
    await setStrategy(lab, { methods: ['LiveMigrate'] });
    await runOldVm(lab, 'one', true);
    const replica = start();
    const { metricsPort } = await logged(replica, 'listening');
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await waitFor(() => migrations(lab).length === 1, { what: 'the first migration', seconds: 40 });
    await waitFor(async () => (await metrics()).includes('\ndrover_outdated_vmis 1\n'), {
      what: 'the gauge',
    });

    await patch(lab, LEASE, { spec: { holderIdentity: 'thief', leaseDurationSeconds: 15 } });
    await logged(replica, 'leading no more');
    await runOldVm(lab, 'two', true);
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(migrations(lab)).toHaveLength(1);
    expect(await metrics()).toContain('\ndrover_outdated_vmis 0\n');
    expect(await metrics()).toContain('drover_leader{name="drover-controller"} 0\n');

    const led = replica.lines.filter(({ msg }) => msg === 'leading').length;
    await waitFor(() => replica.lines.filter(({ msg }) => msg === 'leading').length > led, {
      what: 'it to lead again',
      seconds: 40,
    });
    await waitFor(() => migrations(lab).length === 2, { what: 'the second migration' });
    expect(migrations(lab).map(({ vmi }) => vmi)).toEqual(['one', 'two']);
  });

  it('asked to end while it evicts, waits for the answer, writes down what the batch came to, and gives the lead up', async () => {
    const before = evictions(lab).length;
    await setStrategy(lab, { methods: ['Evict'] });
    await runOldVm(lab, 'one', false);
    const proxy = await startFaultProxy(lab);
    try {
      proxy.setFault(({ path }) => (path.endsWith('/eviction') ? { delaySeconds: 3 } : undefined));
      const replica = startReplica(proxy.kubeconfig, '--launcher-image', NEW_IMAGE);
      replicas.push(replica);
      const isAsked = () => proxy.requests.some(({ path }) => path.endsWith('/eviction'));
      await waitFor(isAsked, { what: 'the eviction', seconds: 40 });
      replica.child.kill('SIGTERM');
      expect(await replica.ended).toBe(0);
      expect(evictions(lab).slice(before)).toMatchObject([{ name: 'virt-launcher-one' }]);
      const { metadata, spec } = (await get(lab, LEASE)) as unknown as Lease;
      expect(spec.holderIdentity).toBe('');
      const batch = JSON.parse(metadata.annotations['drover.dev/eviction-batch'] ?? '{}');
      expect(batch).toEqual({ lastAt: expect.any(Number), accepted: 1 });
      expect(batch.lastAt).toBeLessThanOrEqual(Date.now());
    } finally {
      await proxy.close();
    }
  });

  it('shows metrics by HTTPS to those who may see them', async () => {
    const { certificate, key } = await lab.serverCertificate();
    const [certificateFile, keyFile] = ['tls.crt', 'tls.key'].map((name) => join(lab.folder, name)) as [
      string,
      string,
    ];
    writeFileSync(certificateFile, certificate);
    writeFileSync(keyFile, key);
    for (const name of ['prometheus', 'guest']) await lab.kubectl(['create', 'serviceaccount', name]);
    const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const common = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'scrape' } };
    await put(lab, `${rbac}/clusterroles`, { ...common, kind: 'ClusterRole', rules });
    await put(lab, `${rbac}/clusterrolebindings`, {
      ...{ ...common, kind: 'ClusterRoleBinding' },
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'default' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'scrape' },
    });
    const replica = start(
      '--tls-cert',
      certificateFile,
      '--tls-key',
      keyFile,
      '--metrics-auth',
      '--diagnostics',
    );
    const { metricsPort } = await logged(replica, 'listening');

    const ask = (path: string, token?: string): Promise<{ status: number | undefined; body: string }> =>
      new Promise((resolve, reject) => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const url = `https://127.0.0.1:${metricsPort}${path}`;
        const sent = request(url, { ca: lab.authority, headers }, (answer) => {
          text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
        });
        sent.once('error', reject).end();
      });
    const tokenOf = async (name: string) => (await lab.kubectl(['create', 'token', name])).stdout.trim();
    expect((await ask('/healthz')).status).toBe(200);
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', 'made-up')).status).toBe(401);
    expect((await ask('/metrics', await tokenOf('guest'))).status).toBe(403);
    const prometheus = await tokenOf('prometheus');
    expect(await ask('/metrics', prometheus)).toMatchObject({
      status: 200,
      body: expect.stringContaining('drover_api_requests_total'),
    });
    expect((await ask('/debug/memory', prometheus)).status).toBe(403);
  });
});
