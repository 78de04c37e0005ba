import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import { startBalancer } from '../controller/test-balancer.ts';
import {
  evict,
  get,
  launcherOf,
  register,
  runVm,
  type Served,
  serve,
  startWebhookLab,
  untilAsked,
  vmiPath,
  writeCertificate,
} from './test-webhook.ts';
import { type Posted, post, review } from './test-webhook-posts.ts';

describeLab('the webhook server', () => {
  let lab: Lab;
  let served: Served;
  const vms = Array.from({ length: 8 }, (_, i) => `vm-${i}`);

  beforeAll(async () => {
    lab = await startWebhookLab();
    served = await serve(lab);
    await register(lab, served);
    await untilAsked(lab, served);
    for (const name of vms) await runVm(lab, name, { strategy: 'LiveMigrate', migratable: 'True' });
  }, 90_000);
  afterAll(async () => {
    await served?.stop();
    await lab?.stop();
  });

  const triggered = (name: string) => ({
    code: 429,
    message: `admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Eviction triggered evacuation of VMI "default/${name}"`,
  });

  /** Evicts all VMs again and again, tried only, 8 at once, until the work is done; gives the answers that were wrong. */
  async function whileEvicting(work: () => Promise<void>): Promise<{ answers: number; wrong: unknown[] }> {
    let done = false;
    const seen = { answers: 0, wrong: [] as unknown[] };
    const evictor = async (name: string): Promise<void> => {
      while (!done) {
        const answer = await evict(lab, launcherOf(name), { dryRun: true });
        seen.answers += 1;
        if (answer.message !== triggered(name).message) seen.wrong.push(answer);
      }
    };
    const evictors = Promise.all(vms.map(evictor));
    await work().finally(() => {
      done = true;
    });
    await evictors;
    return seen;
  }

  describe('what is no review', () => {
    it.each<[string, Posted, number]>([
      ['no body', {}, 400],
      ['no JSON', { body: '{"request":' }, 400],
      ['bytes', { body: '\u0000\u0001�' }, 400],
      ['a list', { body: '[]' }, 400],
      ['null', { body: 'null' }, 400],
      ['no request', { body: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' }, 400],
      ['a request of the wrong type', { body: '{"request":"please"}' }, 400],
      ['fields of the wrong type', { body: '{"request":{"uid":7,"name":{}}}' }, 400],
      ['a nest of 100,000 lists', { body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 400],
      ['another content type', { contentType: 'text/plain', body: '{"request":{}}' }, 400],
      ['another method', { method: 'GET' }, 405],
      ['another path', { path: '/elsewhere' }, 404],
      ['a path with a query', { path: '/pod-eviction-validate?timeout=10s', body: '{"request":{}}' }, 200],
      [
        'a time-out that is none',
        { path: '/pod-eviction-validate?timeout=soon', body: '{"request":{}}' },
        200,
      ],
      ['too many bytes', { body: 'x'.repeat(5 * 1024 * 1024) }, 413],
    ])('%s', async (_, posted, status) => {
      expect((await post(lab, served.port, posted)).status).toBe(status);
    });

    it('and a review is answered as ever after all that', async () => {
      const answer = await post(lab, served.port, { body: review(launcherOf('vm-0')) });
      expect(JSON.parse(answer.body)).toEqual({
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: {
          uid: 'uid-virt-launcher-vm-0',
          allowed: false,
          status: {
            metadata: {},
            code: 429,
            message: 'Eviction triggered evacuation of VMI "default/vm-0"',
          },
        },
      });
    });
  });

  it('tells how it is, and what it did, on the other port', async () => {
    const plain = async (path: string): Promise<[number, string]> => {
      const response = await fetch(`http://127.0.0.1:${served.metricsPort}${path}`);
      return [response.status, await response.text()];
    };
    await evict(lab, launcherOf('vm-0'), { dryRun: true });
    expect(await plain('/healthz')).toEqual([200, 'ok']);
    expect(await plain('/readyz')).toEqual([200, 'ok']);
    expect((await plain('/elsewhere'))[0]).toBe(404);
    const [, metrics] = await plain('/metrics');
    expect(metrics).toMatch(
      /^drover_admissions_total\{webhook="pod-eviction",allowed="false",reason="EvacuationTriggered"\} [1-9]/m,
    );
    expect(metrics).toMatch(/^drover_admission_seconds_bucket\{le="10",webhook="pod-eviction"\} [1-9]/m);
    expect(metrics).toMatch(/^drover_admission_unreadable_total\{webhook="pod-eviction"\} [1-9]/m);
    expect(metrics).toMatch(/^drover_certificate_ends_at_seconds \d{10}/m);
    expect(metrics).toMatch(/^drover_api_requests_total\{verb="patch",code="200"\} [1-9]/m);
    expect(metrics).toContain('# HELP drover_admissions_total Decisions of webhooks, by reason.');
  });

  it('answers in time though the API server does not', async () => {
    const proxy = await startFaultProxy(lab);
    const slow = await serve(lab, { source: { kubeconfig: proxy.kubeconfig }, answerWithinSeconds: 1.5 });
    await register(lab, slow);
    await untilAsked(lab, slow);
    proxy.setFault(({ path }) => (path.includes('/pods/') ? { delaySeconds: 4 } : undefined));
    const begun = Date.now();
    expect(await evict(lab, launcherOf('vm-0'))).toEqual({
      code: 429,
      message:
        'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: drover had no answer from the API server within 1.5s; try again',
    });
    expect(Date.now() - begun).toBeLessThan(4_000);
    // The API server's own time-out counts where it is shorter.
    const hasty = await post(lab, slow.port, {
      path: '/pod-eviction-validate?timeout=500ms',
      body: review(launcherOf('vm-0')),
    });
    expect(JSON.parse(hasty.body).response.status.message).toContain('within 0.4s');
    // What was refused as late comes through in the end, and must not mark then.
    await new Promise((resolve) => setTimeout(resolve, 5_000 - (Date.now() - begun)));
    await register(lab, served);
    await untilAsked(lab, served);
    await slow.stop();
    await proxy.close();
    expect((await get(lab, vmiPath('vm-0')))?.status).not.toHaveProperty('evacuationNodeName');
  });

  it('takes new certificates while it serves, and drops no connection', async () => {
    const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
    const kept = new Set<string>();
    const body = review(launcherOf('vm-0'));
    const serialOf = async (agent?: Agent): Promise<string> => {
      const { status, serial } = await post(lab, served.port, { body, ...(agent ? { agent } : {}) });
      expect(status).toBe(200);
      return serial;
    };
    const first = await serialOf(keepAlive);
    const { answers, wrong } = await whileEvicting(async () => {
      for (let i = 0; i < 3; i += 1) {
        const before = await serialOf();
        await writeCertificate(lab, served);
        await waitFor(
          async () => {
            kept.add(await serialOf(keepAlive));
            return (await serialOf()) !== before;
          },
          { what: 'the new certificate' },
        );
      }
    });
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThan(100);
    // One connection was kept all the time, with the certificate that it began with.
    expect([...kept]).toEqual([first]);
    keepAlive.destroy();
  });

  it('goes on with the old certificate while the new one is not whole', async () => {
    const whole = readFileSync(served.certificateFile, 'utf8');
    const before = (await post(lab, served.port, { body: review('x') })).serial;
    writeFileSync(served.certificateFile, whole.slice(0, 300));
    const problem = () =>
      served.logged.find(({ message }) => message.startsWith('the new certificate cannot'));
    await waitFor(problem, { what: 'the complaint' });
    expect((await post(lab, served.port, { body: review('x') })).serial).toBe(before);
    await writeCertificate(lab, served);
    await waitFor(async () => (await post(lab, served.port, { body: review('x') })).serial !== before, {
      what: 'the whole one',
    });
  });

  it('works as two replicas, of which one goes in the middle', async () => {
    const [one, two, balancer] = await Promise.all([
      serve(lab, { stopDelaySeconds: 1 }),
      serve(lab),
      startBalancer(),
    ]);
    balancer.setPorts([one.port, two.port]);
    await register(lab, balancer);
    await untilAsked(lab, one, two);
    const begun = Date.now();
    const { answers, wrong } = await whileEvicting(async () => {
      await waitFor(() => balancer.handed.size === 2, { what: 'connections to both' });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      balancer.setPorts([two.port]);
      await one.stop();
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThan((Date.now() - begun) / 100);
    expect(one.logged.length).toBeGreaterThan(5);
    await register(lab, served);
    await untilAsked(lab, served);
    await two.stop();
    balancer.close();
  });

  it('marks once for many at the same time', async () => {
    await runVm(lab, 'asked', { strategy: 'LiveMigrate', migratable: 'True' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => evict(lab, launcherOf('asked'))));
    const texts = new Set(answers.map(({ code, message }) => `${code} ${message.split('request: ')[1]}`));
    expect(texts).toContain('429 Eviction triggered evacuation of VMI "default/asked"');
    for (const text of texts)
      expect(text).toMatch(
        /^429 (Evacuation in progress: )?Eviction triggered evacuation of VMI "default\/asked"$/,
      );
    expect((await get(lab, vmiPath('asked')))?.status).toMatchObject({ evacuationNodeName: 'n1' });
  });
});
