/** Objects by one derived key. An object without a key is in no bucket. Adding, deleting and reading cost O(1) on buckets of bounded size. */
export class Index<T> {
  readonly #keyOf: (object: T) => string | undefined;
  readonly #buckets = new Map<string, Set<T>>();

  constructor(keyOf: (object: T) => string | undefined) {
    this.#keyOf = keyOf;
  }

  add(object: T): void {
    const key = this.#keyOf(object);
    if (key === undefined) return;
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.add(object);
    else this.#buckets.set(key, new Set([object]));
  }

  delete(object: T): void {
    const key = this.#keyOf(object);
    if (key === undefined) return;
    const bucket = this.#buckets.get(key);
    if (!bucket?.delete(object)) return;
    if (bucket.size === 0) this.#buckets.delete(key);
  }

  has(key: string): boolean {
    return this.#buckets.has(key);
  }

  get(key: string): readonly T[] {
    return [...(this.#buckets.get(key) ?? [])];
  }
}
