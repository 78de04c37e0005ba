import type { Clock, DeleteOptions, JsonPatchOperation, PatchOptions, Random } from '../controllers/ports.ts';
import type { ApiFailure, ApiResult } from '../decide/api-result.ts';
import type { Kind } from '../fleet/fleet.ts';
import { isSameJson, type JsonObject } from '../kubevirt/json.ts';
import { KNOWN_KINDS } from '../kubevirt/kinds.ts';
import { nameIn } from '../kubevirt/object-key.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { extended } from '../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../kubevirt/time.ts';
import { alreadyExists, conflict, invalid, noSuchResource, notFound, unprocessable } from './api-failures.ts';
import { asSent } from './as-sent.ts';
import { applyJsonPatch, PatchError } from './json-patch.ts';
import { NewObjects } from './new-objects.ts';
import {
  hasStatusDoor,
  isBeingDeleted,
  isReleased,
  numbered,
  type StoredObject,
  withOwnFields,
} from './stored-object.ts';

/** One change, as a watch tells it. `object` of a deletion is as it was last. */
export interface StoredChange {
  readonly kind: Kind;
  readonly key: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
}

/** What is made of an object; undefined: it stays as it is. */
export type Modification = (object: StoredObject) => StoredObject | undefined;

/** What becomes of an object on its way into the store. */
export type Admitted = { readonly ok: true; readonly object: StoredObject } | ApiFailure;

/** Who may change or refuse what is written, as webhooks do. Not asked about what is `put`, nor about status. */
export interface ApiAdmission {
  create(kind: Kind, object: StoredObject): Admitted;
  /** Undefined: let through. */
  update(kind: Kind, before: StoredObject, after: StoredObject): ApiFailure | undefined;
}

export interface MemoryApiOptions {
  /** Made for the API that it guards, once that is there. */
  readonly admission?: ((api: MemoryApi) => ApiAdmission) | undefined;
}

/** Seconds that a pod is granted where its spec says nothing. */
const POD_GRACE_SECONDS = 30;

/**
 * What an API server keeps, in memory: creation, patches, deletion and watches with its rules and answers (names made up,
 * resource versions, conflicts, finalizers, status behind a door of its own, dry runs), at once and without other
 * processes. Objects are never changed, only replaced.
 */
export class MemoryApi {
  readonly #clock: Clock;
  readonly #newObjects: NewObjects;
  readonly #stores = new Map<Kind, Map<string, StoredObject>>(KNOWN_KINDS.map((kind) => [kind, new Map()]));
  readonly #watchers = new Set<(change: StoredChange) => void>();
  readonly #admission: ApiAdmission | undefined;
  #version = 0;

  constructor(clock: Clock, random: Random, { admission }: MemoryApiOptions = {}) {
    this.#clock = clock;
    this.#newObjects = new NewObjects(clock, random);
    this.#admission = admission?.(this);
  }

  now(): Instant {
    return this.#clock.now();
  }

  get(kind: Kind, key: string): StoredObject | undefined {
    return this.#storeOf(kind).get(key);
  }

  list(kind: Kind): Iterable<StoredObject> {
    return this.#storeOf(kind).values();
  }

  /** Tells every change from now on, before the write that makes it returns. */
  watch(watcher: (change: StoredChange) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Puts an object there as it is, status and all, whatever was there: for the beginning of a course. */
  put(kind: Kind, object: object): void {
    const made = this.#newObjects.complete(kind, asSent(object));
    const key = keyOf(made);
    this.#store(kind, key, this.get(kind, key), made, false);
  }

  create(kind: Kind, namespace: string | undefined, object: object): ApiResult {
    const result = this.#newObjects.make(kind, namespace, asSent(object));
    if (!('made' in result)) return result;
    const { made } = result;
    const { name } = made.metadata;
    const key = keyOf(made);
    if (this.get(kind, key)) return alreadyExists(kind, name);
    const admitted = this.#admission?.create(kind, made) ?? { ok: true, object: made };
    if (!admitted.ok) return admitted;
    this.#store(kind, key, undefined, admitted.object, false);
    return { ok: true, name };
  }

  patch(
    kind: Kind,
    key: string,
    operations: readonly JsonPatchOperation[],
    { subresource, dryRun }: PatchOptions = {},
  ): ApiResult {
    if (subresource && !hasStatusDoor(kind)) return noSuchResource();
    const held = this.get(kind, key);
    if (!held) return notFound(kind, nameIn(key));
    const patched = patchOf(held, operations);
    if (!patched) return unprocessable();
    const door = hasStatusDoor(kind) ? (subresource ?? 'object') : 'both';
    return this.#replace(kind, key, held, patched, { door, dryRun });
  }

  /** Replaces what a component made of an object that it read: refused where the object has changed since. */
  update(kind: Kind, object: JsonObject & Pick<StoredObject, 'metadata'>): ApiResult {
    const key = keyOf(object);
    const held = this.get(kind, key);
    if (!held) return notFound(kind, object.metadata.name);
    return this.#replace(kind, key, held, object, { door: 'both' });
  }

  /** Replaces an object by what is made of it; nothing changes where nothing is made of it. */
  modify(
    kind: Kind,
    key: string,
    change: Modification,
    { subresource }: Pick<PatchOptions, 'subresource'> = {},
  ): ApiResult {
    if (subresource && !hasStatusDoor(kind)) return noSuchResource();
    const held = this.get(kind, key);
    if (!held) return notFound(kind, nameIn(key));
    const wanted = change(held);
    if (!wanted || wanted === held) return { ok: true, name: held.metadata.name };
    const door = hasStatusDoor(kind) ? (subresource ?? 'object') : 'both';
    return this.#replace(kind, key, held, wanted, { door });
  }

  /** Deletes, at once or once finalizers are gone and the time that a pod is granted has been cut short by 0 seconds. */
  delete(kind: Kind, key: string, { graceSeconds, uid }: DeleteOptions = {}): ApiResult {
    const held = this.get(kind, key);
    if (!held) return notFound(kind, nameIn(key));
    if (uid !== undefined && uid !== held.metadata.uid) return conflict(kind, nameIn(key));
    const name = nameIn(key);
    const grace = kind === 'Pod' ? (graceSeconds ?? graceOf(held)) : 0;
    if (isBeingDeleted(held) && grace >= (held.metadata.deletionGracePeriodSeconds ?? 0))
      return { ok: true, name };
    const deletionTimestamp = formatInstant(this.#clock.now() + grace * 1000);
    const metadata = extended(held.metadata, { deletionTimestamp, deletionGracePeriodSeconds: grace });
    const deleted = { ...held, metadata };
    this.#store(kind, key, held, deleted, isReleased(deleted));
    return { ok: true, name };
  }

  #replace(
    kind: Kind,
    key: string,
    held: StoredObject,
    wanted: JsonObject & { metadata?: unknown },
    { door, dryRun }: { door: 'object' | 'status' | 'both'; dryRun?: boolean | undefined },
  ): ApiResult {
    const { name } = held.metadata;
    const { name: newName, resourceVersion } = (wanted.metadata ?? {}) as Partial<StoredObject['metadata']>;
    if (newName !== name) return invalid(kind, name, 'metadata.name: Invalid value: field is immutable');
    if (resourceVersion && resourceVersion !== held.metadata.resourceVersion) return conflict(kind, name);
    const after = withOwnFields(held, wanted, door);
    if (hasNewFinalizer(held, after)) return invalid(kind, name, NO_NEW_FINALIZERS);
    const refusal = door === 'status' ? undefined : this.#admission?.update(kind, held, after);
    if (refusal) return refusal;
    if (!dryRun && !isSameJson(held, after)) this.#store(kind, key, held, after, isReleased(after));
    return { ok: true, name };
  }

  /** The one place where anything changes. */
  #store(
    kind: Kind,
    key: string,
    before: StoredObject | undefined,
    wanted: StoredObject,
    ends: boolean,
  ): void {
    const stored = numbered(before, wanted, ++this.#version);
    const after = ends ? undefined : stored;
    if (after) this.#storeOf(kind).set(key, after);
    else this.#storeOf(kind).delete(key);
    const change = { kind, key, before: after ? before : stored, after };
    for (const watcher of this.#watchers) watcher(change);
  }

  #storeOf(kind: Kind): Map<string, StoredObject> {
    const store = this.#stores.get(kind);
    if (!store) throw new Error(`no kind ${kind}`);
    return store;
  }
}

const NO_NEW_FINALIZERS =
  'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted';

function hasNewFinalizer(held: StoredObject, { metadata: { finalizers = [] } }: StoredObject): boolean {
  return isBeingDeleted(held) && finalizers.some((name) => !held.metadata.finalizers?.includes(name));
}

/** Undefined where the patch does not apply. */
function patchOf(held: StoredObject, operations: readonly JsonPatchOperation[]): JsonObject | undefined {
  try {
    return applyJsonPatch(held, operations);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/** A pod that no kubelet runs goes at once. */
function graceOf(pod: StoredObject): number {
  const { nodeName, terminationGracePeriodSeconds: granted } = (pod.spec ?? {}) as Record<string, unknown>;
  const { phase } = (pod.status ?? {}) as Record<string, unknown>;
  if (!nodeName || phase === 'Succeeded' || phase === 'Failed') return 0;
  return typeof granted === 'number' ? granted : POD_GRACE_SECONDS;
}
