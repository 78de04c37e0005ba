import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { objectAt } from '../../kubevirt/json.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { deniedTo, grantShipped, type Part, shippedArgs, unusedRights } from '../../lab/test-shipped.ts';
import { waitFor } from '../../lab/wait.ts';
import { type Balancer, startBalancer } from '../controller/test-balancer.ts';
import {
  evict,
  get,
  launcherOf,
  register,
  runVm,
  startWebhookLab,
  vmiPath,
  writeCertificate,
} from './test-webhook.ts';

interface Replica {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly port: number;
  readonly metricsPort: number;
}

describeLab('drover webhook as processes with the rights that are shipped', () => {
  let lab: Lab;
  let balancer: Balancer;
  let replicas: Replica[] = [];

  beforeAll(async () => {
    lab = await startWebhookLab();
    balancer = await startBalancer();
  }, 90_000);
  afterEach(() => {
    for (const { child } of replicas) child.kill('SIGKILL');
    replicas = [];
  });
  afterAll(async () => {
    balancer?.close();
    await lab?.stop();
  });

  /** Starts a part with the words and the account that are shipped, and waits until it says that it serves. */
  async function start(part: Part, ...flags: readonly string[]): Promise<Replica> {
    const kubeconfig = await lab.kubeconfigForAccount(await grantShipped(lab, part));
    const shipped = (await shippedArgs(lab, part)).map((word) =>
      word.replace('/etc/drover/certificates', lab.folder),
    );
    const program = fileURLToPath(new URL('../drover.ts', import.meta.url));
    const common = ['--kubeconfig', kubeconfig, '--url', `https://127.0.0.1:${balancer.port}`];
    const ports = ['--bind-address', '127.0.0.1', '--port', '0', '--metrics-port', '0', '--stop-delay', '1s'];
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', program, ...shipped, ...common, ...ports, ...flags],
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

  it('two replicas in the place of KubeVirt; one is asked to end, and nobody notices', async () => {
    const [one, two] = await Promise.all([start('webhook'), start('webhook')]);
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
    await waitFor(() => answers.length > 20, { what: 'answers enough' });
    done = true;
    await evicting;
    expect(answers.filter((message) => message !== expected)).toEqual([]);

    expect((await evict(lab, launcherOf('db'))).code).toBe(429);
    expect(objectAt((await get(lab, vmiPath('db'))) ?? {}, 'status').evacuationNodeName).toBe('n1');
    const told = await waitFor(
      () => two.lines.find(({ msg, dryRun }) => msg === 'refused' && dryRun === false),
      { what: 'the line about it' },
    );
    expect(told).toMatchObject({
      level: 'info',
      webhook: 'pod-eviction',
      namespace: 'default',
      name: launcherOf('db'),
      reason: 'EvacuationTriggered',
      code: 429,
      message: 'Eviction triggered evacuation of VMI "default/db"',
    });
    two.child.kill('SIGTERM');
    expect(await two.ended).toBe(0);
    expect(deniedTo(lab, 'drover-system/drover-webhook')).toEqual([]);
    // It is for renewal.
    expect(await unusedRights(lab, 'webhook')).toEqual(['update secrets']);
    for (const kind of ['validating', 'mutating'])
      await lab.kubectl(['delete', `${kind}webhookconfiguration`, 'drover-webhook']);
  });

  it('the guard with a certificate of others, and no right to make one', async () => {
    await writeCertificate(lab, {
      certificateFile: join(lab.folder, 'tls.crt'),
      keyFile: join(lab.folder, 'tls.key'),
    });
    const part = ['certificates.source=cert-manager', 'certificates.issuer.name=corp'];
    const guard = await start(part);
    balancer.setPorts([guard.port]);
    await register(lab, balancer, { guard: true });
    await runVm(lab, 'cat', { strategy: 'None', vmAnnotations: { 'drover.dev/eviction': 'never' } });
    const refused = async () => (await evict(lab, launcherOf('cat'), { dryRun: true })).code === 429;
    await waitFor(refused, { what: 'a refusal' });
    expect(deniedTo(lab, 'drover-system/drover-guard')).toEqual([]);
    expect(await unusedRights(lab, part)).toEqual([]);
    await lab.kubectl(['delete', 'mutatingwebhookconfiguration', 'drover-guard']);
    await lab.kubectl(['delete', 'clusterrole', 'drover-guard']);
  });

  it('the guard', async () => {
    const guard = await start('guard', '--default-strategy', 'External:role=worker');
    balancer.setPorts([guard.port]);
    await register(lab, balancer, { guard: true, trust: false });
    await runVm(lab, 'pet', { strategy: 'None', vmAnnotations: { 'drover.dev/eviction': 'never' } });
    const answer = () => evict(lab, launcherOf('pet'), { dryRun: true });
    await waitFor(async () => (await answer()).code === 429, { what: 'a refusal' });
    expect((await answer()).message).toContain('VM default/pet must not be evicted');
    await runVm(lab, 'worker', { labels: { role: 'worker' } });
    expect(objectAt((await get(lab, vmiPath('worker'))) ?? {}, 'spec').evictionStrategy).toBe('External');
    expect((await evict(lab, launcherOf('worker'))).code).toBe(201);
    expect(deniedTo(lab, 'drover-system/drover-guard')).toEqual([]);
    expect(await unusedRights(lab, 'guard')).toEqual(['update secrets']);
  });
});
