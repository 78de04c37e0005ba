import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { type FaultProxy, startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import type { ApiClient } from '../api-client.ts';
import { connect } from '../connect.ts';
import { recordMetrics } from '../test-follow.ts';
import { steadyClock, systemRandom } from '../wall-clock.ts';
import { LeaderLease } from './leader-lease.ts';

const TIMING = { leaseDurationSeconds: 3, renewDeadlineSeconds: 2, retryPeriodSeconds: 0.3 };

describeLab('a lease on a real API server', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  let name = '';
  let made = 0;
  const leases: LeaderLease[] = [];
  const clients: ApiClient[] = [];
  const events: string[] = [];
  const logged: string[] = [];
  const { metrics, metric } = recordMetrics();

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await proxy?.close();
    await lab?.stop();
  });
  beforeEach(() => {
    name = `lease-${++made}`;
    events.length = 0;
    logged.length = 0;
    proxy.setFault(() => undefined);
  });
  afterEach(async () => {
    await Promise.all(leases.splice(0).map((lease) => lease.stop()));
  });

  function candidate(identity: string, kubeconfig = lab.kubeconfig): LeaderLease {
    const api = connect({ kubeconfig });
    clients.push(api);
    const lease = new LeaderLease({
      api,
      namespace: 'default',
      name,
      identity,
      clock: steadyClock,
      random: systemRandom,
      log: {
        write: (level, message, fields) =>
          void (level === 'warn' && fields?.problem && logged.push(`${level} ${message}: ${fields.problem}`)),
      },
      metrics,
      timing: TIMING,
      onStartedLeading: () => events.push(`${identity} leads`),
      onStoppedLeading: () => events.push(`${identity} stops`),
    });
    leases.push(lease);
    lease.start();
    return lease;
  }

  const held = (lease: LeaderLease): Promise<boolean> =>
    waitFor(() => lease.isHeld(), { what: 'the lease to be held', everyMs: 5 });
  const spec = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await lab.kubectl(['get', 'lease', name, '-o', 'json'])).stdout).spec;

  it('is held by one, as kubectl shows', async () => {
    const a = candidate('a');
    await held(a);
    const b = candidate('b');
    expect(await spec()).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 3, leaseTransitions: 0 });
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect([a.isHeld(), b.isHeld(), b.holder()]).toEqual([true, false, 'a']);
    expect(events).toEqual(['a leads']);
    expect(metric('drover_leader', `name=${name}`)).toBe(1);
  });

  it('passes at once from one that stops', async () => {
    const a = candidate('a');
    await held(a);
    const b = candidate('b');
    await waitFor(() => b.holder() === 'a', { what: 'b to see a' });
    const stoppedAt = Date.now();
    await a.stop();
    expect(a.isHeld()).toBe(false);
    await held(b);
    // Had it not been handed over, it would have run out first.
    expect(Date.now() - stoppedAt).toBeLessThan(3_000);
    expect(await spec()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    expect(events).toEqual(['a leads', 'a stops', 'b leads']);
  });

  it('passes from one that is cut off, after that one has noticed', async () => {
    const a = candidate('a', proxy.kubeconfig);
    await held(a);
    const b = candidate('b');
    await waitFor(() => b.holder() === 'a', { what: 'b to see a' });
    const cutAt = Date.now();
    proxy.setFault(() => ({ reset: 'before' }));
    await waitFor(() => !a.isHeld(), { what: 'a to notice', everyMs: 5 });
    const noticedAt = Date.now();
    expect(b.isHeld()).toBe(false);
    expect(noticedAt - cutAt).toBeLessThanOrEqual(2_200);
    await held(b);
    expect(Date.now() - noticedAt).toBeGreaterThan(500);
    proxy.setFault(() => undefined);
    await waitFor(() => a.holder() === 'b', { what: 'a to see b' });
    expect(events).toEqual(['a leads', 'a stops', 'b leads']);
  });

  it('is never held by two while etcd hangs and comes back', async () => {
    const all = ['a', 'b', 'c'].map((identity) => candidate(identity));
    await waitFor(() => all.some((lease) => lease.isHeld()), { what: 'a leader' });
    let most = 0;
    const counting = setInterval(() => {
      most = Math.max(most, all.filter((lease) => lease.isHeld()).length);
    }, 2);
    lab.etcd.pause();
    await waitFor(() => all.every((lease) => !lease.isHeld()), { what: 'the leader to give in' });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    lab.etcd.resume();
    await waitFor(() => all.some((lease) => lease.isHeld()), { what: 'a leader again' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    clearInterval(counting);
    expect(most).toBe(1);
  });

  it('is kept over a short absence of the API server', async () => {
    const a = candidate('a', proxy.kubeconfig);
    await held(a);
    proxy.setFault(() => ({ status: 503, body: 'away' }));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    proxy.setFault(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([a.isHeld(), events]).toEqual([true, ['a leads']]);
  });

  it('keeps what others write on it, and what its holder writes', async () => {
    const a = candidate('a');
    await held(a);
    await lab.kubectl(['annotate', 'lease', name, 'by=others']);
    expect(await a.annotate('drover.dev/last-batch', '2026-03-01T12:00:00Z')).toEqual({ ok: true, name });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(a.isHeld()).toBe(true);
    const { stdout } = await lab.kubectl(['get', 'lease', name, '-o', 'jsonpath={.metadata.annotations}']);
    expect(JSON.parse(stdout)).toEqual({ by: 'others', 'drover.dev/last-batch': '2026-03-01T12:00:00Z' });
    await a.stop();
    const b = candidate('b');
    await held(b);
    expect(b.annotation('drover.dev/last-batch')).toBe('2026-03-01T12:00:00Z');
  });

  it('takes no annotation from one that has lost it', async () => {
    const a = candidate('a', proxy.kubeconfig);
    await held(a);
    proxy.setFault(({ path }) => (path.endsWith(name) ? { delaySeconds: 1 } : undefined));
    const writing = a.annotate('late', 'yes');
    const theft = { spec: { holderIdentity: 'thief', leaseDurationSeconds: 60 } };
    await lab.kubectl(['patch', 'lease', name, '--type=merge', '-p', JSON.stringify(theft)]);
    expect(await writing).toMatchObject({ ok: false });
    expect((await lab.kubectl(['get', 'lease', name, '-o', 'jsonpath={.metadata.annotations}'])).stdout).toBe(
      '',
    );
    await waitFor(() => !a.isHeld(), { what: 'a to notice' });
    expect(await a.annotate('later', 'yes')).toEqual({ ok: false, message: 'the lease is not held' });
  });

  it('is made anew when somebody deletes it', async () => {
    const a = candidate('a');
    await held(a);
    await lab.kubectl(['delete', 'lease', name]);
    await waitFor(async () => (await lab.kubectl(['get', 'lease', name])).code === 0, {
      what: 'it to be back',
    });
  });

  it('tells once what keeps it from being taken, but not that another has it', async () => {
    const a = candidate('a');
    await held(a);
    candidate('b');
    const poor = await lab.kubeconfigFor({ user: 'nobody' });
    candidate('c', poor);
    await waitFor(() => logged.length > 0, { what: 'a line' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(logged).toEqual([
      `warn the lease cannot be taken: leases.coordination.k8s.io is forbidden: User "nobody" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"`,
    ]);
  });
});
