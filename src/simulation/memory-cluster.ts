import type {
  Change,
  Clock,
  Cluster,
  DeleteOptions,
  EvictionCall,
  JsonPatchOperation,
  PatchOptions,
} from '../controllers/ports.ts';
import type { ApiFailure, ApiResult } from '../decide/api-result.ts';
import type { EventDraft } from '../decide/events.ts';
import { Fleet, type Kind, type KindMap } from '../fleet/fleet.ts';
import { KNOWN_KINDS } from '../kubevirt/kinds.ts';
import { createProjection, isReadAnnotation } from '../kubevirt/projection.ts';
import { extended } from '../kubevirt/shapes.ts';
import { isLabAnnotation } from './guests/lab-annotations.ts';
import type { MemoryApi, Modification, StoredChange } from './memory-api.ts';
import { type EvictionWebhook, evictPod } from './memory-eviction.ts';
import type { StoredObject } from './stored-object.ts';

/** What a fleet holds, and how guests are to behave. */
const project = createProjection({
  keepAnnotation: (name) => isReadAnnotation(name) || isLabAnnotation(name),
});

/** A write on its way to the API server. */
export interface Write {
  readonly verb: 'create' | 'patch' | 'modify' | 'delete' | 'evict';
  readonly kind: Kind;
  /** `namespace/name`; of a creation, the namespace. */
  readonly key: string;
  readonly dryRun: boolean;
}

/** What goes wrong with a write: it is answered so, and `carriedOut` all the same where only the answer got lost. */
export interface Fault {
  readonly answer: ApiFailure;
  readonly carriedOut?: boolean;
}

export interface MemoryClusterOptions {
  readonly api: MemoryApi;
  readonly clock: Clock;
  readonly evictionWebhook?: EvictionWebhook | undefined;
  /** How long after a write the fleet learns of it; at once, but never within the write, where absent or 0. */
  readonly lagSeconds?: ((change: StoredChange) => number) | undefined;
  /** How long a write is under way before the API server has it; no time where absent. */
  readonly latencySeconds?: ((write: Write) => number) | undefined;
  readonly faultOf?: ((write: Write) => Fault | undefined) | undefined;
  /**
   * The fleet holds the objects themselves, without a check: where nobody but our own actors writes, and what they began with was
   * read through the schemas.
   */
  readonly trusted?: boolean | undefined;
  /** Hears what each eviction was answered. */
  readonly onEviction?: ((call: EvictionCall, result: ApiResult) => void) | undefined;
  /** Hears of every event, in order, instead of `events`. */
  readonly onEvent?: ((event: RecordedEvent) => unknown) | undefined;
}

/** What is to be in the next microtask comes behind it: every write and all news do, so that one promise for each is enough. */
const SOON = Promise.resolve();

function answerOf(
  write: Write,
  faultOf: MemoryClusterOptions['faultOf'],
  carryOut: () => ApiResult,
): ApiResult {
  const fault = faultOf?.(write);
  if (fault && !fault.carriedOut) return fault.answer;
  const result = carryOut();
  return fault?.answer ?? result;
}

export interface RecordedEvent extends EventDraft {
  readonly component: string;
}

/**
 * The Cluster port on an API server in memory, as one client sees it: several may share one API.
 *
 * Promise: writes and news of changes take microtasks only, unless a lag or latency is asked for; news come in the order of the
 * changes.
 */
export class MemoryCluster implements Cluster {
  readonly fleet = new Fleet();
  /** Every event, in order, repeated ones too; empty with `onEvent`. */
  readonly events: RecordedEvent[] = [];
  synced = true;
  readonly #options: MemoryClusterOptions;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #news: StoredChange[] = [];
  readonly #leave: () => void;
  #held = false;

  /** Begins with all that there is. */
  constructor(options: MemoryClusterOptions) {
    this.#options = options;
    for (const kind of KNOWN_KINDS) this.#list(kind);
    this.#leave = options.api.watch((change) => this.#hear(change));
  }

  isSynced(): boolean {
    return this.synced;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  create(kind: Kind, namespace: string | undefined, object: object): Promise<ApiResult> {
    const write: Write = { verb: 'create', kind, key: namespace ?? '', dryRun: false };
    return this.#send(write, () => this.#options.api.create(kind, namespace, object));
  }

  patch(
    kind: Kind,
    key: string,
    operations: readonly JsonPatchOperation[],
    options: PatchOptions = {},
  ): Promise<ApiResult> {
    const write: Write = { verb: 'patch', kind, key, dryRun: options.dryRun ?? false };
    return this.#send(write, () => this.#options.api.patch(kind, key, operations, options));
  }

  modify<K extends Kind>(
    kind: K,
    key: string,
    change: (object: KindMap[K]) => KindMap[K] | undefined,
    options: Pick<PatchOptions, 'subresource'> = {},
  ): Promise<ApiResult> {
    const write: Write = { verb: 'modify', kind, key, dryRun: false };
    return this.#send(write, () =>
      this.#options.api.modify(kind, key, change as unknown as Modification, options),
    );
  }

  delete(kind: Kind, key: string, options: DeleteOptions = {}): Promise<ApiResult> {
    const write: Write = { verb: 'delete', kind, key, dryRun: false };
    return this.#send(write, () => this.#options.api.delete(kind, key, options));
  }

  evict(call: EvictionCall): Promise<ApiResult> {
    const key = `${call.namespace}/${call.pod}`;
    const write: Write = { verb: 'evict', kind: 'Pod', key, dryRun: call.dryRun ?? false };
    const { api, evictionWebhook } = this.#options;
    return this.#send(write, () => {
      const result = evictPod(api, call, evictionWebhook);
      this.#options.onEviction?.(call, result);
      return result;
    });
  }

  recordEvent(event: EventDraft, component: string): void {
    const { onEvent = (recorded) => this.events.push(recorded) } = this.#options;
    onEvent(extended(event, { component }));
  }

  /** Lets no news through until `release`. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#tellNews();
  }

  /** Hears nothing any more, as a process that has ended. */
  close(): void {
    this.#leave();
    this.#listeners.clear();
  }

  #send(write: Write, carryOut: () => ApiResult): Promise<ApiResult> {
    const { clock, latencySeconds, faultOf } = this.#options;
    if (!latencySeconds) return SOON.then(() => answerOf(write, faultOf, carryOut));
    const underWay = new Promise<void>((done) => void clock.after(latencySeconds(write), done));
    return underWay.then(() => answerOf(write, faultOf, carryOut));
  }

  #list(kind: Kind): void {
    this.fleet.noteKnown(kind);
    for (const object of this.#options.api.list(kind)) this.fleet.apply(kind, this.#seen(kind, object));
  }

  /** What a client sees of an object. */
  #seen(kind: Kind, stored: StoredObject): KindMap[Kind] {
    return (this.#options.trusted ? stored : project(kind, stored)) as KindMap[Kind];
  }

  #hear(change: StoredChange): void {
    const { clock, lagSeconds } = this.#options;
    this.#news.push(change);
    const lag = lagSeconds?.(change) ?? 0;
    if (lag > 0) clock.after(lag, () => this.#tellNews(change));
    else void SOON.then(() => this.#tellNews(change));
  }

  /** All news, or those up to and with one. What is told already is not told again. */
  #tellNews(last = this.#news.at(-1)): void {
    if (this.#held || !last || !this.#news.includes(last)) return;
    for (let news = this.#news.shift(); news; news = news === last ? undefined : this.#news.shift()) {
      this.#tell(news);
    }
  }

  #tell({ kind, key, before: replaced, after: stored }: StoredChange): void {
    const after = stored && this.#seen(kind, stored);
    // Another object of the same name: the end of one, and the beginning of another.
    if (replaced && after && replaced.metadata.uid !== after.metadata.uid) {
      this.#notify({ kind, key, before: this.fleet.remove(kind, key), after: undefined });
    }
    const before = after ? this.fleet.apply(kind, after, key) : this.fleet.remove(kind, key);
    this.#notify({ kind, key, before, after });
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
