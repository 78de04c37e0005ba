import type { Kind } from '../fleet/fleet.ts';
import type { MemoryApi, StoredChange } from './memory-api.ts';
import type { StoredObject } from './stored-object.ts';

interface Dependent {
  readonly kind: Kind;
  readonly key: string;
}

/**
 * Kubernetes' garbage collector, for owners that were deleted: an object goes when the last of its owners is gone, and one that is
 * made after that goes at once. Owners that were never seen are left alone: they may be of kinds that nobody keeps here.
 */
export class OwnerCollector {
  readonly #api: MemoryApi;
  readonly #living = new Set<string>();
  readonly #dead = new Set<string>();
  readonly #dependents = new Map<string, Map<string, Dependent>>();

  /** Follows the API from now on; begin with an empty one. */
  constructor(api: MemoryApi) {
    this.#api = api;
    api.watch((change) => this.#follow(change));
  }

  #follow({ kind, key, before, after }: StoredChange): void {
    // Of what has the owners that it had, there is nothing to note.
    if (before && after && before.metadata.ownerReferences === after.metadata.ownerReferences) return;
    for (const owner of ownersOf(before)) this.#dependents.get(owner)?.delete(`${kind} ${key}`);
    if (after) this.#take(kind, key, after);
    if (after && !before) this.#collectOrphan(kind, key, after);
    if (!after && before) this.#end(before.metadata.uid);
  }

  #take(kind: Kind, key: string, object: StoredObject): void {
    this.#living.add(object.metadata.uid);
    for (const owner of ownersOf(object)) {
      const dependents = this.#dependents.get(owner) ?? new Map<string, Dependent>();
      this.#dependents.set(owner, dependents.set(`${kind} ${key}`, { kind, key }));
    }
  }

  /** Not within the write that makes it, which is to be told first. */
  #collectOrphan(kind: Kind, key: string, object: StoredObject): void {
    const owners = ownersOf(object);
    if (owners.length === 0 || !owners.every((owner) => this.#dead.has(owner))) return;
    const { uid } = object.metadata;
    void Promise.resolve().then(() => this.#api.delete(kind, key, { uid }));
  }

  #end(uid: string): void {
    this.#living.delete(uid);
    this.#dead.add(uid);
    const dependents = [...(this.#dependents.get(uid)?.values() ?? [])];
    this.#dependents.delete(uid);
    for (const { kind, key } of dependents) {
      const owners = ownersOf(this.#api.get(kind, key));
      if (!owners.some((owner) => this.#living.has(owner))) this.#api.delete(kind, key);
    }
  }
}

function ownersOf(object: StoredObject | undefined): string[] {
  return (object?.metadata.ownerReferences ?? []).flatMap(({ uid }) => uid ?? []);
}
