import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { pino } from 'pino';
import { endpointOf } from '../src/admission/endpoint.ts';
import { evictionWebhook } from '../src/admission/eviction.ts';
import type { AdmissionCluster } from '../src/admission/ports.ts';
import { resolveSettings } from '../src/decide/settings.ts';
import { createAuthority } from '../src/kubernetes/certificates.ts';
import { aPod, aVmi } from '../src/kubevirt/builders.ts';
import { project } from '../src/kubevirt/projection.ts';
import { listen } from '../src/server/listener.ts';
import { jsonLog } from '../src/server/log.ts';
import { prometheusMetrics } from '../src/server/metrics.ts';
import { webhookListener } from '../src/server/webhooks.ts';

/**
 * A process of its own for the webhook bench: serves Drover's webhook and, on another port, a bare node:https server that
 * reads a request and answers the same bytes. Tells its parent both ports and the authority.
 */
const vmi = aVmi('db', 'default').on('n1').strategy('LiveMigrate').migratable().build();
const pod = aPod('virt-launcher-db', 'default').launcherOf(vmi).on('n1').build();
/** As the API server sends them: what is read costs a parse and a projection each time. */
const RAW = { Pod: JSON.stringify(pod), VirtualMachineInstance: JSON.stringify(vmi) };

const cluster: AdmissionCluster = {
  get: async (kind) => ({ found: project(kind, JSON.parse(RAW[kind as keyof typeof RAW])) as never }),
  patch: async () => ({ ok: true, name: 'db' }),
};

const { certificate, authority } = await certificates();

async function certificates() {
  const root = await createAuthority('bench-ca');
  const issued = await root.issue({ commonName: 'bench', hosts: ['127.0.0.1'] });
  return { certificate: issued, authority: root.certificate };
}

async function drover(): Promise<number> {
  const webhook = evictionWebhook({
    cluster,
    settings: () => resolveSettings(undefined),
    behavior: 'intended',
  });
  const log = jsonLog({ level: 'info', destination: pino.destination({ dest: devNull, sync: true }) });
  const options = { log, metrics: prometheusMetrics(), elapsed: () => performance.now() };
  const { port } = await listen({
    host: '127.0.0.1',
    port: 0,
    certificate: { current: () => certificate, onChange: () => () => {}, stop: () => {} },
    handle: webhookListener({
      endpoints: new Map([[webhook.path, endpointOf(webhook, options)]]),
      answerWithinSeconds: 8,
      mostBytes: 4 * 1024 * 1024,
      log,
    }),
  });
  return port;
}

async function bare(): Promise<number> {
  const { uid } = JSON.parse(readFileSync('testdata/webhook/eviction-review.json', 'utf8')).request;
  const message = 'Eviction triggered evacuation of VMI "default/db"';
  const response = { uid, allowed: false, status: { metadata: {}, message, code: 429 } };
  const answer = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response });
  const handle = (request: IncomingMessage, reply: ServerResponse): void => {
    request.resume();
    request.once('end', () => {
      reply.writeHead(200, { 'content-length': answer.length, 'content-type': 'application/json' });
      reply.end(answer);
    });
  };
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

process.send?.({ drover: await drover(), bare: await bare(), authority });
process.once('disconnect', () => process.exit(0));
