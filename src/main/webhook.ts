import { endpointOf } from '../admission/endpoint.ts';
import { evictionWebhook } from '../admission/eviction.ts';
import { guardWebhook } from '../admission/guard.ts';
import type { AdmissionCluster, AdmissionWebhook } from '../admission/ports.ts';
import { configurationNames } from '../admission/registration.ts';
import { clusterStrategyStamp, defaultStrategyStamp } from '../admission/strategy-stamp.ts';
import type { WebhookRequest } from '../cli/services.ts';
import type { Log } from '../controllers/ports.ts';
import { resolveSettings, type Settings } from '../decide/settings.ts';
import type { ApiClient } from '../kubernetes/api-client.ts';
import { connect } from '../kubernetes/connect.ts';
import { LiveCluster } from '../kubernetes/live-cluster.ts';
import { Reads } from '../kubernetes/reads.ts';
import { Writes } from '../kubernetes/writes.ts';
import { bootstrapCertificate } from '../server/bootstrap/bootstrap.ts';
import type { CertificateSource } from '../server/certificate.ts';
import { certificateFromFiles } from '../server/certificate-files.ts';
import { type Listener, listen } from '../server/listener.ts';
import { jsonLog } from '../server/log.ts';
import { type PrometheusMetrics, prometheusMetrics } from '../server/metrics.ts';
import { operationsListener } from '../server/operations.ts';
import { webhookListener } from '../server/webhooks.ts';
import { METRIC_FACTS } from './metric-facts.ts';
import { untilAsked } from './until-asked.ts';
import { hostOf, modeOf } from './webhook/webhook-manifests.ts';

/** A webhook server that runs. */
export interface RunningWebhook {
  readonly port: number;
  readonly metricsPort: number;
  stop(): Promise<void>;
}

/** Requests that are in flight when the end comes have so long. */
const GRACE_SECONDS = 10;
/** A request to the API server that takes longer than an answer may take is of no more use, but its own limit comes later: a late answer is no failed read. */
const LONGER_SECONDS = 5;

/** `drover webhook`: serves until the process is asked to end. */
export async function runWebhook(request: WebhookRequest): Promise<void> {
  const asked = untilAsked();
  const log = jsonLog({ level: request.logLevel });
  const running = await startWebhook(request, log, asked.signal);
  const { port, metricsPort } = running;
  log.write('info', 'serving', { mode: modeOf(request), port, metricsPort });
  await asked.promise;
  log.write('info', 'stopping');
  await running.stop();
}

/** Starts a server. Resolves once it answers reviews; aborting the signal before that rejects. */
export async function startWebhook(
  request: WebhookRequest,
  log: Log,
  signal: AbortSignal,
): Promise<RunningWebhook> {
  const server = new WebhookServer(request, log);
  try {
    return await server.start(signal);
  } catch (error) {
    await server.stop(0);
    throw error;
  }
}

class WebhookServer {
  readonly #request: WebhookRequest;
  readonly #log: Log;
  readonly #metrics: PrometheusMetrics = prometheusMetrics(METRIC_FACTS);
  readonly #api: ApiClient;
  readonly #kubevirt: LiveCluster | undefined;
  #certificate: CertificateSource | undefined;
  #webhooks: Listener | undefined;
  #operations: Listener | undefined;
  #stopping = false;

  constructor(request: WebhookRequest, log: Log) {
    this.#request = request;
    this.#log = log;
    const { source, answerWithinSeconds, guard } = request;
    this.#api = connect({
      ...source,
      requestTimeoutSeconds: answerWithinSeconds + LONGER_SECONDS,
      userAgent: 'drover-webhook',
      metrics: this.#metrics,
    });
    const following = { api: this.#api, log, metrics: this.#metrics, kinds: ['KubeVirt'] as const };
    this.#kubevirt = guard ? undefined : new LiveCluster(following);
  }

  async start(signal: AbortSignal): Promise<RunningWebhook> {
    const { bindAddress: host, port, metricsPort, metricsTls } = this.#request;
    this.#kubevirt?.start();
    const handle = operationsListener({ metrics: this.#metrics, unready: () => this.#unready() });
    if (!metricsTls) this.#operations = await listen({ host, port: metricsPort, handle });
    const certificate = await this.#openCertificate(signal);
    this.#certificate = certificate;
    if (metricsTls) this.#operations = await listen({ host, port: metricsPort, handle, certificate });
    await this.#settingsKnown(signal);
    this.#webhooks = await listen({ host, port, certificate, handle: this.#listener() });
    return {
      port: this.#webhooks.port,
      metricsPort: this.#operations?.port ?? metricsPort,
      stop: () => this.stop(this.#request.stopDelaySeconds),
    };
  }

  /** Says that it is not ready, and goes on for so long that everybody hears it; then ends. */
  async stop(delaySeconds: number): Promise<void> {
    this.#stopping = true;
    this.#webhooks?.drain();
    if (delaySeconds > 0) await new Promise((resolve) => setTimeout(resolve, delaySeconds * 1000));
    await this.#webhooks?.stop(GRACE_SECONDS);
    await this.#operations?.stop(0);
    this.#certificate?.stop();
    await this.#kubevirt?.stop();
    await this.#api.close();
  }

  #unready(): string[] {
    const missing = [
      this.#stopping && 'stopping',
      !this.#webhooks && 'there is no certificate yet, or the settings of KubeVirt are not known yet',
      this.#kubevirt && !this.#kubevirt.isSynced() && 'the settings of KubeVirt are not known, or stale',
    ];
    return missing.filter((line): line is string => typeof line === 'string');
  }

  #openCertificate(signal: AbortSignal): Promise<CertificateSource> {
    const { certificate, secret } = this.#request;
    const telling = { log: this.#log, metrics: this.#metrics };
    if (certificate !== 'bootstrap') return certificateFromFiles({ ...certificate, ...telling });
    const configurations = configurationNames(modeOf(this.#request));
    return bootstrapCertificate(
      {
        api: this.#api,
        ...telling,
        secret,
        hosts: [hostOf(this.#request)],
        configurations,
      },
      signal,
    );
  }

  /** No decision is made on settings that were never read. */
  async #settingsKnown(signal: AbortSignal): Promise<void> {
    while (this.#kubevirt && !this.#kubevirt.isSynced()) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #listener(): ReturnType<typeof webhookListener> {
    const { answerWithinSeconds, mostBytes } = this.#request;
    const log = this.#log;
    const options = { log, metrics: this.#metrics, elapsed: () => performance.now() };
    const endpoints = new Map(this.#served().map((webhook) => [webhook.path, endpointOf(webhook, options)]));
    return webhookListener({ endpoints, answerWithinSeconds, mostBytes, log });
  }

  #served(): readonly AdmissionWebhook[] {
    const { guard, behavior, defaults } = this.#request;
    const reads = new Reads(this.#api);
    const writes = new Writes(this.#api, () => true);
    const cluster: AdmissionCluster = {
      get: (kind, key) => reads.get(kind, key),
      patch: (...patch) => writes.patch(...patch),
    };
    if (guard) return [guardWebhook({ cluster, now: Date.now }), defaultStrategyStamp({ cluster, defaults })];
    const settings = (): Settings => this.#settings();
    return [evictionWebhook({ cluster, settings, behavior }), clusterStrategyStamp(settings)];
  }

  #settings(): Settings {
    return resolveSettings(this.#kubevirt?.fleet.kubevirt(), this.#request.kubevirtVersion);
  }
}
