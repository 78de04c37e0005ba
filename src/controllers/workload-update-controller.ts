import { vmiRef } from '../decide/evidence.ts';
import { resultOf } from '../decide/rules.ts';
import { type InformerEvent, informerTable } from '../decide/workload-update/informer-events.ts';
import { RESTLESS_SECONDS } from '../decide/workload-update/next-pass.ts';
import {
  RETRY_BUCKET_SECONDS,
  retryDelaySeconds,
  THROTTLE_SECONDS,
} from '../decide/workload-update/retry.ts';
import {
  changesPlacement,
  freesRoom,
  type WakeUp,
  wakesUpdater,
} from '../decide/workload-update/wake-ups.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import { Controller, type ReconcileResult } from './controller.ts';
import { Holds } from './holds.ts';
import { Journal } from './journal.ts';
import type { Change } from './ports.ts';
import { KeyBackoff, longestOf, TokenBucket } from './rate-limit.ts';
import { LOOK_FOR_ROOM_SECONDS, PLACEMENT_REASONS, ROOM_REASONS, ROOM_SECONDS } from './target-finder.ts';
import { WorkQueue } from './work-queue.ts';
import type { WorkloadUpdateOptions } from './workload-update/options.ts';
import { WorkloadUpdater } from './workload-update/updater.ts';
import { UpdaterMemory } from './workload-update/updater-memory.ts';

export type { WorkloadUpdateOptions } from './workload-update/options.ts';

const NAME = 'workload-update';

/**
 * The workload-update controller, from events to passes. One for each term of a leader: what it remembers of batches is read from
 * the cluster once.
 */
export class WorkloadUpdateController {
  readonly #options: WorkloadUpdateOptions;
  readonly #queue: WorkQueue;
  readonly #holds: Holds;
  readonly #journal: Journal;
  readonly #memory: UpdaterMemory;
  readonly #updater: WorkloadUpdater;
  readonly #controller: Controller;
  /** When passes without rest come next, by key. */
  readonly #looks = new Map<string, { readonly at: Instant; readonly callOff: () => void }>();
  /** Of the KubeVirt CRs, until one comes or goes: every event asks for them. */
  #keys: readonly string[] | undefined;
  #leave = (): void => {};

  constructor(options: WorkloadUpdateOptions) {
    const { clock, cluster, log, metrics } = options;
    this.#options = options;
    const bucket = new TokenBucket(RETRY_BUCKET_SECONDS, 1);
    this.#queue = new WorkQueue(clock, longestOf(new KeyBackoff(retryDelaySeconds), bucket));
    this.#holds = new Holds(clock);
    this.#journal = new Journal(NAME, clock, options.journal);
    this.#memory = new UpdaterMemory(options.memory, clock);
    this.#updater = new WorkloadUpdater(options, this.#memory, this.#holds, this.#journal);
    this.#controller = new Controller({
      name: NAME,
      reconciler: { reconcile: (key) => this.#reconcile(key) },
      queue: this.#queue,
      cluster,
      clock,
      log,
      metrics,
    });
  }

  /** Follows the cluster, and looks at what is there already. */
  start(): void {
    this.#leave = this.#options.cluster.subscribe((change) => this.#take(change));
    this.#keys = undefined;
    this.wake();
    this.#controller.start();
  }

  /** Resolves when the pass in flight has ended. */
  async stop(): Promise<void> {
    this.#leave();
    await this.#controller.stop();
    for (const { callOff } of this.#looks.values()) callOff();
    this.#updater.close();
  }

  /** Asks for a pass soon: the strategy or the launcher image may be another one. */
  wake(): void {
    this.#wakeAfter(THROTTLE_SECONDS);
  }

  #wakeAfter(seconds: number): void {
    for (const key of this.#kubevirtKeys()) this.#queue.addAfter(key, seconds);
  }

  #take(change: Change): void {
    this.#options.inHand.observe(change);
    if (change.kind === 'KubeVirt') this.#keys = undefined;
    this.#takeEvent(change);
    if (this.#options.behavior === 'intended') this.#takeWakeUp(change as WakeUp);
    if (change.kind === 'VirtualMachineInstance' && !change.after) this.#forget(change.before as Vmi);
  }

  #takeEvent(change: Change): void {
    const event = eventOf(change);
    if (!event) return;
    const { behavior, clock } = this.#options;
    const input = { event, now: clock.now(), behavior, kubevirtKeys: this.#kubevirtKeys() };
    const { enqueue, observedFor } = resultOf(informerTable, input);
    if (observedFor !== undefined) this.#memory.creationObserved();
    if (enqueue) this.#queue.addAfter(enqueue.key, enqueue.afterSeconds);
    if (!this.#updater.isRestless) return;
    for (const key of this.#kubevirtKeys()) this.#lookAfter(key, RESTLESS_SECONDS);
  }

  /**
   * v1.9.0's passes without rest come besides those that events have asked for; any other takes the place of a later one. After one
   * that did something the next comes at once; where writes take no time, only as long as that brings it nearer to an end.
   */
  async #reconcile(key: string): Promise<ReconcileResult> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    const { requeueAfterSeconds, error } = await this.#updater.reconcile(key);
    const { isRestless, hasActed, hasCreated } = this.#updater;
    if (!isRestless || requeueAfterSeconds === undefined) return { requeueAfterSeconds, error };
    if (hasCreated || (hasActed && clock.now() > startedAt)) this.#queue.add(key);
    else this.#lookAfter(key, hasActed ? RESTLESS_SECONDS : requeueAfterSeconds);
    return { error };
  }

  /**
   * One more pass, whatever passes are waited for besides. A pass that fails, or does not get through the gates, ends the restlessness,
   * and with it what was asked for meanwhile.
   */
  #lookAfter(key: string, seconds: number): void {
    const { clock } = this.#options;
    const at = clock.now() + seconds * 1000;
    const held = this.#looks.get(key);
    if (held && held.at <= at) return;
    held?.callOff();
    const callOff = clock.after(seconds, () => {
      this.#looks.delete(key);
      if (this.#updater.isRestless) this.#queue.add(key);
    });
    this.#looks.set(key, { at, callOff });
  }

  #takeWakeUp(change: WakeUp): void {
    if (changesPlacement(change)) this.#holds.lift(PLACEMENT_REASONS);
    if (wakesUpdater(change)) this.wake();
    if (freesRoom(change) && this.#holds.shorten(ROOM_REASONS, ROOM_SECONDS))
      this.#wakeAfter(LOOK_FOR_ROOM_SECONDS);
  }

  #forget(vmi: Vmi): void {
    this.#holds.forget(vmi);
    this.#journal.forget(vmiRef(vmi), 'category');
  }

  #kubevirtKeys(): readonly string[] {
    this.#keys ??= [...this.#options.cluster.fleet.all('KubeVirt')].map(keyOf);
    return this.#keys;
  }
}

/** Kinds that the updater's event handlers know. */
function eventOf({ kind, before, after }: Change): InformerEvent | undefined {
  const isKnown =
    kind === 'KubeVirt' || kind === 'VirtualMachineInstance' || kind === 'VirtualMachineInstanceMigration';
  if (!isKnown) return undefined;
  const change = after ? (before ? 'update' : 'add') : 'delete';
  return { change, kind, object: after ?? before } as InformerEvent;
}
