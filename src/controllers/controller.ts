import { CodedError } from '../kubevirt/coded-error.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import type { Clock, Cluster, Labels, Log, Metrics } from './ports.ts';
import type { WorkQueue } from './work-queue.ts';

/** What became of a pass. Both may be there: the key comes at the earlier of the two times. */
export interface ReconcileResult {
  /** Brings the key again after so many seconds, whatever else brings it. Absent: nothing but an event does. */
  readonly requeueAfterSeconds?: number | undefined;
  /** The pass failed in a way that another try may mend: the key comes again at the rate of the queue. */
  readonly error?: string | undefined;
}

/**
 * Brings the cluster nearer to what it should be, as far as one key is concerned.
 *
 * Contract: `reconcile` is given only the key, never the event behind it: it looks at the cluster as it is now, works out
 * what is missing, and does that. It may be called at any time, any number of times, for keys that no longer exist, and
 * after a restart with nothing remembered; doing nothing is then the right answer. It is never called twice at once for one
 * key, and never while the cache is not synced. It ends when all that it has sent has been answered. A refusal of the
 * API server is an ordinary outcome; what it throws is a defect or a broken setting, is logged with the key, and counts as
 * an error.
 */
export interface Reconciler {
  reconcile(key: string): Promise<ReconcileResult>;
}

export interface ControllerOptions {
  /** As it stands in logs and metrics. */
  readonly name: string;
  readonly reconciler: Reconciler;
  readonly queue: WorkQueue;
  readonly cluster: Pick<Cluster, 'isSynced'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** How often it is asked whether the cache is synced. */
const SYNC_POLL_SECONDS = 1;

/**
 * Takes key after key from a queue to a reconciler, one at a time.
 *
 * Promise: nothing is reconciled while the cache is not synced; whatever a reconciler throws ends neither the loop nor the
 * process. `stop` resolves when the pass in flight has ended, and after it none begins.
 */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #labels: Labels;
  readonly #succeeded: Labels;
  readonly #failed: Labels;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;
  #wake = (): void => {};

  constructor(options: ControllerOptions) {
    this.#options = options;
    const controller = options.name;
    this.#labels = { controller };
    this.#succeeded = { controller, result: 'success' };
    this.#failed = { controller, result: 'error' };
  }

  start(): void {
    this.#working = this.#work();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#options.queue.stop();
    this.#wake();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { queue, cluster, clock, metrics, reconciler } = this.#options;
    for (let key = await queue.next(); key !== undefined; key = await queue.next()) {
      metrics.gauge('drover_queue_depth', queue.depth, this.#labels);
      while (!this.#stopped && !cluster.isSynced()) await this.#rest();
      if (this.#stopped) return;
      const startedAt = clock.now();
      try {
        this.#noteResult(key, await reconciler.reconcile(key));
      } catch (error) {
        this.#noteDefect(key, error);
      }
      metrics.observe('drover_reconcile_seconds', (clock.now() - startedAt) / 1000, this.#labels);
      queue.done(key);
    }
  }

  /** Until the cache is to be asked for again, or the controller is stopped. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.#options.clock.after(SYNC_POLL_SECONDS, resolve);
      this.#wake = () => {
        callOff();
        resolve();
      };
    });
  }

  #noteResult(key: string, { requeueAfterSeconds, error }: ReconcileResult): void {
    const { name, log, queue } = this.#options;
    if (requeueAfterSeconds !== undefined) queue.addAfter(key, requeueAfterSeconds);
    if (error !== undefined) {
      log.write('warn', 'a pass failed and is tried again', { controller: name, key, problem: error });
    }
    this.#noteEnd(key, error);
  }

  #noteDefect(key: string, error: unknown): void {
    const { name, log } = this.#options;
    const problem = messageOf(error);
    log.write('error', 'a pass broke off and is tried again', {
      ...{ controller: name, key, problem },
      ...causeOf(error),
    });
    this.#noteEnd(key, problem);
  }

  #noteEnd(key: string, error: string | undefined): void {
    const { metrics, queue } = this.#options;
    metrics.count('drover_reconciles_total', error === undefined ? this.#succeeded : this.#failed);
    if (error === undefined) queue.forget(key);
    else queue.addRateLimited(key);
  }
}

/** A coded error says what to do; of any other, only the stack helps. */
function causeOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof CodedError) return { code: error.code, cure: error.cure };
  return error instanceof Error ? { stack: error.stack } : {};
}
