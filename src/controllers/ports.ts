/**
 * What a controller needs of the world. `src/kubernetes` gives it on a real API server in wall time, `src/simulation` in
 * memory and virtual time; one contract suite runs on both, so that the same controllers run on both.
 */
import type { ApiResult } from '../decide/api-result.ts';
import type { EventDraft } from '../decide/events.ts';
import type { Fleet, Kind, KindMap } from '../fleet/fleet.ts';
import type { JsonPatchOperation } from '../kubevirt/json-patch.ts';
import type { Instant } from '../kubevirt/time.ts';

/** One change of one object, told after the fleet has taken it in. */
export interface Change<K extends Kind = Kind> {
  readonly kind: K;
  readonly key: string;
  readonly before: KindMap[K] | undefined;
  readonly after: KindMap[K] | undefined;
}

export interface PatchOptions {
  readonly subresource?: 'status' | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface DeleteOptions {
  /** Seconds that a pod is granted instead of what its spec says. */
  readonly graceSeconds?: number | undefined;
  /** Deletes the object only while it has this UID; another one is a 409. */
  readonly uid?: string | undefined;
}

export type { JsonPatchOperation };

export interface EvictionCall {
  readonly namespace: string;
  readonly pod: string;
  /** The Eviction object as it goes out. */
  readonly body: object;
  readonly dryRun?: boolean | undefined;
}

/**
 * The cluster: what was last seen of it, and the writes to it.
 *
 * Promise: `fleet` only ever moves forward; a change is told to listeners once, after the fleet has it, in the order in
 * which the API server made the changes of one object. Writes are never repeated by the port: what a failed one means is
 * the caller's to decide. A write that the API server refuses is an ordinary result, not an exception.
 */
export interface Cluster {
  readonly fleet: Fleet;
  /** All kinds that were asked for have been listed at least once, and none is stale beyond doubt. */
  isSynced(): boolean;
  /** Calls back on every change until the returned function is called. */
  subscribe(listener: (change: Change) => void): () => void;
  create(kind: Kind, namespace: string | undefined, object: object): Promise<ApiResult>;
  patch(
    kind: Kind,
    key: string,
    operations: readonly JsonPatchOperation[],
    options?: PatchOptions,
  ): Promise<ApiResult>;
  /**
   * Reads the object as the API server has it now, whole, and replaces it by what `change` makes of it: for those who own
   * parts of an object that others write to as well, and for accounts that may update but not patch.
   *
   * `change` gets every field, also those that no schema names, and must keep what is not its own; `undefined` leaves the
   * object as it is, which is a success. Where somebody else wrote in between, it begins anew. An object that is gone is a
   * failure with 404.
   */
  modify<K extends Kind>(
    kind: K,
    key: string,
    change: (object: KindMap[K]) => KindMap[K] | undefined,
    options?: Pick<PatchOptions, 'subresource'>,
  ): Promise<ApiResult>;
  delete(kind: Kind, key: string, options?: DeleteOptions): Promise<ApiResult>;
  evict(call: EvictionCall): Promise<ApiResult>;
  /** Records an event as `component`; repeated ones are counted up. A failure is logged, never thrown. */
  recordEvent(event: EventDraft, component: string): void;
}

/** Time, real or virtual. */
export interface Clock {
  now(): Instant;
  /** Calls back once after so many seconds; the returned function calls it off. Zero and below: as soon as possible. */
  after(seconds: number, callback: () => void): () => void;
}

/** Chance, seeded where runs must repeat: uniform in [0, 1). */
export interface Random {
  next(): number;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What a metric tells apart, by name. */
export type Labels = Readonly<Record<string, string>>;

/** Prometheus' three kinds, by name; label names are fixed by the first use. */
export interface Metrics {
  count(name: string, labels?: Labels, by?: number): void;
  gauge(name: string, value: number, labels?: Labels): void;
  observe(name: string, value: number, labels?: Labels): void;
}
