import { X509Certificate } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Log } from '../../controllers/ports.ts';
import { silent } from '../../controllers/silent.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import { objectAt, objectsAt } from '../../kubevirt/json.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { waitFor } from '../../lab/wait.ts';
import type { CertificateSource } from '../certificate.ts';
import { type Listener, listen } from '../listener.ts';
import { type BootstrapOptions, bootstrapCertificate } from './bootstrap.ts';

const SECRET = '/api/v1/namespaces/default/secrets/certs';
const CONFIGURATION = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/probe';
const configurations = [{ kind: 'ValidatingWebhookConfiguration', name: 'probe' }] as const;

describeLab('a certificate that the replicas make themselves', () => {
  let lab: Lab;
  let logged: string[];
  let opened: { source: CertificateSource; listener: Listener }[];

  beforeAll(async () => {
    lab = await startLab();
  }, 60_000);
  afterAll(() => lab?.stop());
  beforeEach(() => {
    logged = [];
    opened = [];
  });
  afterEach(async () => {
    for (const { source, listener } of opened) {
      source.stop();
      await listener.stop(1);
    }
    for (const path of [SECRET, CONFIGURATION]) await lab.admin.call({ method: 'DELETE', path });
  });

  const log: Log = {
    write: (level, message, fields) =>
      void logged.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
  };

  const bootstrap = (change: Partial<BootstrapOptions> = {}, signal = new AbortController().signal) =>
    bootstrapCertificate(
      {
        api: lab.admin,
        log,
        metrics: silent.metrics,
        secret: { namespace: 'default', name: 'certs' },
        hosts: ['127.0.0.1'],
        configurations,
        everySeconds: 0.3,
        ...change,
      },
      signal,
    );

  /** A replica that lets everything through. */
  async function replica(change: Partial<BootstrapOptions> = {}, port = 0): Promise<Listener> {
    const source = await bootstrap(change);
    const listener = await listen({
      host: '127.0.0.1',
      port,
      certificate: source,
      handle: async (request, response) => {
        const review = JSON.parse(await text(request)) as { apiVersion: string; request: { uid: string } };
        const { apiVersion } = review;
        const answer = {
          apiVersion,
          kind: 'AdmissionReview',
          response: { uid: review.request.uid, allowed: true },
        };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      },
    });
    opened.push({ source, listener });
    return listener;
  }

  const configuration = (port: number): object => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'probe' },
    webhooks: ['one', 'two'].map((name) => ({
      name: `${name}.probe.drover.dev`,
      admissionReviewVersions: ['v1'],
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      clientConfig: { url: `https://127.0.0.1:${port}/` },
    })),
  });
  const apply = (object: object) => lab.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(object) });

  const get = async (path: string): Promise<JsonObject> => {
    const answer = await lab.admin.call({ method: 'GET', path });
    return answer.ok ? answer.object : {};
  };
  const secretText = async (key: string): Promise<string> =>
    Buffer.from(String(objectAt(await get(SECRET), 'data')[key] ?? ''), 'base64').toString();
  const bundles = async (): Promise<unknown[]> =>
    objectsAt(await get(CONFIGURATION), 'webhooks').map(
      (webhook) => objectAt(webhook, 'clientConfig').caBundle,
    );
  /** What the API server says to a request that it must ask the webhooks about; empty when they were asked. */
  const ask = async (): Promise<string> => {
    const answer = await lab.admin.call({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      query: { dryRun: 'All' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'probe-' } },
    });
    return answer.ok ? '' : answer.message;
  };
  const untilAnswered = () => waitFor(async () => (await ask()) === '', { what: 'an answer' });

  it('is made once, shared, for the right host, and trusted in every webhook', async () => {
    const [one, two] = await Promise.all([replica(), replica()]);
    expect(opened[0]?.source.current().certificate).toBe(opened[1]?.source.current().certificate);
    expect(logged.filter((line) => line.includes('a certificate was made'))).toHaveLength(1);
    const certificate = new X509Certificate(await secretText('tls.crt'));
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.verify(new X509Certificate(await secretText('ca.crt')).publicKey)).toBe(true);
    for (const { port } of [one, two]) {
      await apply(configuration(port));
      const caBundle = Buffer.from(await secretText('ca.crt')).toString('base64');
      await waitFor(async () => (await bundles()).every((bundle) => bundle === caBundle), {
        what: 'the bundles',
      });
      await untilAnswered();
    }
  });

  it('is trusted again where somebody takes the trust away', async () => {
    const { port } = await replica();
    await apply(configuration(port));
    await untilAnswered();
    const foreign = Buffer.from(lab.authority).toString('base64');
    const patch = JSON.stringify([
      { op: 'replace', path: '/webhooks/1/clientConfig/caBundle', value: foreign },
    ]);
    await lab.kubectl(['patch', 'validatingwebhookconfiguration', 'probe', '--type=json', '-p', patch]);
    await waitFor(async () => new Set(await bundles()).size === 1, { what: 'the bundle' });
    await untilAnswered();
  });

  it.each<[string, (body: JsonObject) => object]>([
    ['damaged', ({ data }) => ({ data: { ...(data as object), 'tls.crt': 'AAAA' } })],
    ['without an authority', ({ data }) => ({ data: { ...(data as object), 'ca.crt': '' } })],
  ])('is renewed when it is %s, and no request is lost on the way', async (_, change) => {
    const { port } = await replica();
    await apply(configuration(port));
    await untilAnswered();
    const served = () => opened[0]?.source.current().certificate;
    const first = served();
    const wrong: string[] = [];
    let done = false;
    const asking = (async () => {
      while (!done) wrong.push(await ask());
    })();
    const secret = await get(SECRET);
    await lab.admin.call({ method: 'PUT', path: SECRET, body: { ...secret, ...change(secret) } });
    await waitFor(() => served() !== first, { what: 'another certificate' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    done = true;
    await asking;
    expect(wrong.length).toBeGreaterThan(10);
    expect(wrong.filter((message) => message !== '')).toEqual([]);
    // The authority of the certificate that was served until then is still trusted.
    expect((await secretText('ca.crt')).match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });

  it('is renewed when the Secret is gone, when it is for another host, and before it ends', async () => {
    await replica();
    await lab.admin.call({ method: 'DELETE', path: SECRET });
    await waitFor(() => logged.filter((line) => line.includes('there is none')).length === 2, {
      what: 'it anew',
    });
    for (const { source } of opened) source.stop();
    await replica({ hosts: ['127.0.0.1', 'drover.default.svc'] });
    expect(logged).toContain('info a certificate was made {"reason":"it is not for drover.default.svc"}');
    for (const { source } of opened) source.stop();
    await lab.admin.call({ method: 'DELETE', path: SECRET });
    await replica({ lifeSeconds: 1_000, everySeconds: 60 });
    await replica({ everySeconds: 60 });
    expect(logged).toContain('info a certificate was made {"reason":"it ends soon"}');
    expect(new X509Certificate(await secretText('tls.crt')).validTo).toMatch(
      new RegExp(`${new Date(Date.now() + 364 * 86_400_000).getUTCFullYear()} GMT$`),
    );
  });

  it('says what it may not do, waits, and goes on once it may', async () => {
    const kubeconfig = await lab.kubeconfigForAccount('default/webhook');
    const { connect } = await import('../../kubernetes/connect.ts');
    const api = connect({ kubeconfig });
    const waiting = bootstrap({ api });
    await waitFor(() => logged.some((line) => line.includes('cannot get resource')), {
      what: 'the complaint',
    });
    await lab.kubectl(['create', 'role', 'certs', '--verb=get,create,update', '--resource=secrets']);
    await lab.kubectl(['create', 'rolebinding', 'certs', '--role=certs', '--serviceaccount=default:webhook']);
    const source = await waiting;
    expect(source.current().certificate).toContain('BEGIN CERTIFICATE');
    expect(logged.filter((line) => line.includes('cannot get resource \\"secrets\\"'))).toHaveLength(1);
    source.stop();
    await api.close();
  });

  it('stops waiting when the process is to end', async () => {
    const ending = new AbortController();
    const { connect } = await import('../../kubernetes/connect.ts');
    const api = connect({ kubeconfig: await lab.kubeconfigForAccount('default/nobody') });
    const waiting = bootstrap({ api }, ending.signal);
    ending.abort(new Error('asked to end'));
    await expect(waiting).rejects.toThrow('asked to end');
    await api.close();
  });
});
