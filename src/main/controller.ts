import { setTimeout as sleep } from 'node:timers/promises';
import type { ControllerRequest, StrategyPlace } from '../cli/services.ts';
import { CONTROLLER_METRIC_FACTS } from '../controllers/metric-facts.ts';
import type { Log } from '../controllers/ports.ts';
import { requireSoleUpdater, type StrategySource } from '../controllers/strategy.ts';
import type { Kind } from '../fleet/fleet.ts';
import type { ApiClient } from '../kubernetes/api-client.ts';
import { connect } from '../kubernetes/connect.ts';
import { LiveCluster } from '../kubernetes/live-cluster.ts';
import { wallClock } from '../kubernetes/wall-clock.ts';
import { whoAmI } from '../kubernetes/who-am-i.ts';
import type { CertificateSource } from '../server/certificate.ts';
import { certificateFromFiles } from '../server/certificate-files.ts';
import { DIAGNOSTICS } from '../server/diagnostics.ts';
import { type Listener, listen } from '../server/listener.ts';
import { jsonLog } from '../server/log.ts';
import { type PrometheusMetrics, prometheusMetrics } from '../server/metrics.ts';
import { operationsListener } from '../server/operations.ts';
import { tokenAccess } from '../server/token-access.ts';
import { type ControllerTerm, isVirtControllerRunning, startTerm } from './controller/controller-term.ts';
import { type JournalFile, openJournal } from './controller/journal-file.ts';
import { type Leadership, leadershipOf } from './controller/leadership.ts';
import { Terms } from './controller/terms.ts';
import { toldCluster } from './controller/told-cluster.ts';
import { METRIC_FACTS } from './metric-facts.ts';
import { type FollowedStrategy, followStrategy, strategyConfigMap, strategyFile } from './strategy-origin.ts';
import { untilAsked } from './until-asked.ts';

/** What the controllers look at, and what tells whether a migration finds a place. */
const KINDS: readonly Kind[] = [
  'KubeVirt',
  'Deployment',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'ResourceQuota',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
];
/** Of all Deployments one matters. */
const SELECTORS = { Deployment: 'metadata.name=virt-controller' } as const;

/** What controllers tell holds while they run; on the next leader it goes on. */
const TERM_METRICS = Object.keys(CONTROLLER_METRIC_FACTS);

const BY_KUBEVIRT: FollowedStrategy = { current: () => ({ kind: 'kubevirt' }), stop: () => {} };

/** `drover controller`: runs until the process is asked to end. */
export async function runController(request: ControllerRequest): Promise<void> {
  const asked = untilAsked();
  const log = jsonLog({ level: request.logLevel });
  const controllers = new ControllerProcess(request, log);
  try {
    await controllers.start(asked.signal);
    await asked.promise;
    log.write('info', 'stopping');
  } catch (error) {
    if (!asked.signal.aborted) throw error;
  } finally {
    await controllers.stop();
  }
}

class ControllerProcess {
  readonly #request: ControllerRequest;
  readonly #log: Log;
  readonly #metrics: PrometheusMetrics = prometheusMetrics(METRIC_FACTS);
  readonly #api: ApiClient;
  readonly #cluster: LiveCluster;
  readonly #leadership: Leadership;
  readonly #terms = new Terms(() => this.#startTerm());
  #strategy = BY_KUBEVIRT;
  #account: string | undefined;
  #journal: JournalFile | undefined;
  #certificate: CertificateSource | undefined;
  #operations: Listener | undefined;
  #term: ControllerTerm | undefined;
  #stopping = false;

  constructor(request: ControllerRequest, log: Log) {
    this.#request = request;
    this.#log = log;
    const metrics = this.#metrics;
    this.#api = connect({ ...request.source, userAgent: 'drover-controller', metrics });
    const { election, dryRun } = request;
    this.#leadership = leadershipOf({
      ...{ election, dryRun, api: this.#api, log, metrics },
      onStartedLeading: () => this.#terms.begin(),
      onStoppedLeading: () => this.#terms.end(),
    });
    this.#cluster = new LiveCluster({
      ...{ api: this.#api, log, metrics, dryRun, kinds: KINDS, fieldSelectors: SELECTORS },
      mayWrite: () => this.#leadership.mayWrite(),
    });
  }

  /** Resolves when it leads or waits for the lead. Rejects where it must not run, or is asked to end before. */
  async start(signal: AbortSignal): Promise<void> {
    const { journal, strategy, dryRun } = this.#request;
    const file = journal ?? (dryRun ? '-' : undefined);
    if (file !== undefined) this.#journal = await openJournal(file, this.#log);
    this.#strategy = await this.#followStrategy(strategy);
    await this.#listen();
    this.#cluster.start();
    const account = whoAmI(this.#api);
    await this.#synced(signal);
    this.#account = await account;
    this.#requireSole();
    this.#warnOfOther();
    await this.#leadership.start();
    const { controllers, behavior } = this.#request;
    this.#log.write('info', 'running', {
      ...{ controllers, behavior, dryRun, strategy: this.#strategy.current() },
      account: this.#account,
    });
  }

  /** Lets writes in flight end, gives the lead up, and lets go of everything else. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#strategy.stop();
    await this.#terms.close();
    await this.#leadership.stop();
    await this.#cluster.stop();
    await this.#journal?.close();
    await this.#operations?.stop(0);
    this.#certificate?.stop();
    await this.#api.close();
  }

  #startTerm(): ControllerTerm {
    const { store } = this.#leadership;
    this.#term = startTerm({
      ...{ request: this.#request, log: this.#log, metrics: this.#metrics, store, account: this.#account },
      cluster: toldCluster(this.#cluster, this.#log, this.#request.dryRun),
      journal: this.#journal?.sink,
      strategy: () => this.#strategy.current(),
    });
    const term = this.#term;
    return { ...term, stop: () => term.stop().then(() => this.#metrics.forgetGauges(TERM_METRICS)) };
  }

  async #followStrategy(place: StrategyPlace): Promise<FollowedStrategy> {
    if (place === 'kubevirt') return BY_KUBEVIRT;
    const origin = 'file' in place ? strategyFile(place.file) : strategyConfigMap(this.#api, place.configMap);
    const telling = { clock: wallClock, log: this.#log, metrics: this.#metrics };
    return followStrategy(origin, { ...telling, onChange: () => this.#term?.wake() });
  }

  async #listen(): Promise<void> {
    const { bindAddress: host, metricsPort: port, certificate, metricsAuth, diagnostics } = this.#request;
    const telling = { log: this.#log, metrics: this.#metrics };
    if (certificate) this.#certificate = await certificateFromFiles({ ...certificate, ...telling });
    const handle = operationsListener({
      metrics: this.#metrics,
      unready: () => this.#unready(),
      refusal: metricsAuth ? tokenAccess(this.#api, () => Date.now()) : undefined,
      diagnostics: diagnostics ? DIAGNOSTICS : undefined,
    });
    this.#operations = await listen({ host, port, handle, certificate: this.#certificate });
    this.#log.write('info', 'listening', { metricsPort: this.#operations.port });
  }

  async #synced(signal: AbortSignal): Promise<void> {
    while (!this.#cluster.isSynced()) {
      signal.throwIfAborted();
      await sleep(50);
    }
  }

  /** Two drivers are refused at the start; later on, the updater itself stops acting. */
  #requireSole(): void {
    const { fleet } = this.#cluster;
    if (!this.#request.controllers.includes('workload-update')) return;
    const source: StrategySource = this.#strategy.current();
    requireSoleUpdater(source, fleet.kubevirt(), isVirtControllerRunning(fleet));
  }

  /** Its evacuation cannot be turned off. The admission lets one of two migrations of a VMI through, so this harms nobody. */
  #warnOfOther(): void {
    if (!this.#request.controllers.includes('evacuation') || !isVirtControllerRunning(this.#cluster.fleet))
      return;
    this.#log.write('warn', 'a virt-controller runs, which evacuates nodes as well', {
      cure: 'leave evacuation out of --controllers',
    });
  }

  #unready(): string[] {
    if (this.#stopping) return ['stopping'];
    if (this.#cluster.isSynced()) return [];
    const waiting = [...this.#cluster.standings()].filter(
      ([, { settled, watching }]) => !settled || !watching,
    );
    return waiting.map(
      ([kind, { problem }]) => `${kind} is not known, or stale${problem ? `: ${problem}` : ''}`,
    );
  }
}
