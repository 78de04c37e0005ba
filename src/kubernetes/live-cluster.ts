import type {
  Change,
  Clock,
  Cluster,
  DeleteOptions,
  EvictionCall,
  JsonPatchOperation,
  Log,
  Metrics,
  PatchOptions,
  Random,
} from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';
import type { EventDraft } from '../decide/events.ts';
import { Fleet, type Kind, type KindMap } from '../fleet/fleet.ts';
import { KNOWN_KINDS } from '../kubevirt/kinds.ts';
import { Pool } from '../kubevirt/pool.ts';
import { createProjection } from '../kubevirt/projection.ts';
import type { ApiClient } from './api-client.ts';
import { EventRecorder } from './events/event-recorder.ts';
import { Listeners } from './listeners.ts';
import { systemRandom, wallClock } from './wall-clock.ts';
import { KindCache } from './watch/kind-cache.ts';
import { type KindStanding, Reflector } from './watch/reflector.ts';
import { WATCH_TIMING, type WatchTiming } from './watch/timing.ts';
import { Writes } from './writes.ts';

export interface LiveClusterOptions {
  readonly api: ApiClient;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Kinds to follow; all where none are named. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Of which kinds only some objects are followed, by kubectl's `--field-selector`. */
  readonly fieldSelectors?: Partial<Record<Kind, string>> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly timing?: Partial<WatchTiming> | undefined;
  /** Which annotations the fleet keeps; as `ProjectionOptions` says where absent. */
  readonly keepAnnotation?: ((name: string) => boolean) | undefined;
  /** Asked before each write; where it says no nothing is sent. For the leader's fence. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** Sends every write as a dry run: the API server answers as it would, and changes nothing. Events are not written. */
  readonly dryRun?: boolean | undefined;
}

/** How often the age of the cache is told to the metrics. */
const AGE_SECONDS = 5;

/** How long events that wait may hold up the end. */
const FLUSH_SECONDS = 5;

/** The Cluster port on a real API server. */
export class LiveCluster implements Cluster {
  readonly fleet = new Fleet();
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #timing: WatchTiming;
  readonly #listeners: Listeners;
  readonly #reflectors: ReadonlyMap<Kind, Reflector<Kind>>;
  readonly #writes: Writes;
  readonly #recorder: EventRecorder | undefined;
  #stopTelling: () => void = () => {};

  constructor(options: LiveClusterOptions) {
    const { api, log, metrics, clock = wallClock, random = systemRandom, dryRun = false } = options;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#timing = { ...WATCH_TIMING, ...options.timing };
    this.#listeners = new Listeners(log);
    this.#writes = new Writes(api, options.mayWrite ?? (() => true), dryRun);
    this.#recorder = dryRun ? undefined : new EventRecorder({ api, clock, log, metrics, fleet: this.fleet });
    const cacheOptions = {
      fleet: this.fleet,
      project: createProjection({ pool: new Pool(), keepAnnotation: options.keepAnnotation }),
      notify: (change: Change) => this.#listeners.tell(change),
      log,
      metrics,
    };
    const watching = { api, clock, random, log, metrics, timing: this.#timing };
    this.#reflectors = new Map(
      (options.kinds ?? KNOWN_KINDS).map((kind) => [
        kind,
        new Reflector(new KindCache(kind, cacheOptions), {
          ...watching,
          fieldSelector: options.fieldSelectors?.[kind],
        }),
      ]),
    );
  }

  /** Begins to follow the cluster; `isSynced` tells when it is there. */
  start(): void {
    for (const reflector of this.#reflectors.values()) reflector.start();
    this.#tellAges();
  }

  /** Resolves when nothing is followed any more, and events have been written as far as that goes quickly. */
  async stop(): Promise<void> {
    this.#stopTelling();
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.stop()));
    await this.#recorder?.flush(FLUSH_SECONDS);
  }

  /** Every kind was listed, or is not known to the server, and none has been without a watch for long. */
  isSynced(): boolean {
    return [...this.#reflectors.values()].every((reflector) => this.#isFresh(reflector.standing()));
  }

  /** How it stands with each kind, for a person to read. */
  standings(): ReadonlyMap<Kind, KindStanding> {
    return new Map([...this.#reflectors].map(([kind, reflector]) => [kind, reflector.standing()]));
  }

  subscribe(listener: (change: Change) => void): () => void {
    return this.#listeners.add(listener);
  }

  create(kind: Kind, namespace: string | undefined, object: object): Promise<ApiResult> {
    return this.#writes.create(kind, namespace, object);
  }

  patch(
    kind: Kind,
    key: string,
    operations: readonly JsonPatchOperation[],
    options?: PatchOptions,
  ): Promise<ApiResult> {
    return this.#writes.patch(kind, key, operations, options);
  }

  modify<K extends Kind>(
    kind: K,
    key: string,
    change: (object: KindMap[K]) => KindMap[K] | undefined,
    options?: Pick<PatchOptions, 'subresource'>,
  ): Promise<ApiResult> {
    return this.#writes.modify(kind, key, change, options);
  }

  delete(kind: Kind, key: string, options?: DeleteOptions): Promise<ApiResult> {
    return this.#writes.delete(kind, key, options);
  }

  evict(call: EvictionCall): Promise<ApiResult> {
    return this.#writes.evict(call);
  }

  recordEvent(event: EventDraft, component: string): void {
    this.#recorder?.record(event, component);
  }

  #isFresh({ settled, absent, watching, confirmedAt }: KindStanding): boolean {
    if (!settled || absent || watching) return settled;
    return confirmedAt !== undefined && this.#clock.now() - confirmedAt < this.#timing.staleSeconds * 1000;
  }

  #tellAges(): void {
    for (const [kind, reflector] of this.#reflectors) {
      const { confirmedAt } = reflector.standing();
      if (confirmedAt === undefined) continue;
      this.#metrics.gauge('drover_cache_age_seconds', (this.#clock.now() - confirmedAt) / 1000, { kind });
    }
    this.#stopTelling = this.#clock.after(AGE_SECONDS, () => this.#tellAges());
  }
}
