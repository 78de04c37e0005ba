const EMPTY: ReadonlySet<never> = new Set();

/** Sets of things by a key, kept at O(1) a change; a key without any is forgotten. */
export class Groups<K, T> {
  readonly #sets = new Map<K, Set<T>>();

  get(key: K): ReadonlySet<T> {
    return this.#sets.get(key) ?? EMPTY;
  }

  add(key: K, one: T): void {
    const held = this.#sets.get(key);
    if (held) held.add(one);
    else this.#sets.set(key, new Set([one]));
  }

  delete(key: K, one: T): void {
    const held = this.#sets.get(key);
    if (held?.delete(one) && held.size === 0) this.#sets.delete(key);
  }
}
