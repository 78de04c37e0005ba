interface Bucket<T> {
  /** By what names each. */
  readonly objects: Map<string, T>;
  /** The same as a list: kept until one of them changes, since some are read far more often than that. */
  list: readonly T[] | undefined;
}

const NONE: readonly never[] = [];

/**
 * Objects by one derived key. An object without a key is in no bucket. Adding, replacing, deleting and reading cost O(1) on buckets of
 * bounded size. An object that is replaced by one of the same key keeps its place.
 */
export class Index<T> {
  readonly #keyOf: (object: T) => string | undefined;
  readonly #order: ((a: T, b: T) => number) | undefined;
  /** By the derived key. */
  readonly #buckets = new Map<string, Bucket<T>>();

  /** Lists are in this order; in no promised one where it is absent. */
  constructor(keyOf: (object: T) => string | undefined, order?: (a: T, b: T) => number) {
    this.#keyOf = keyOf;
    this.#order = order;
  }

  add(object: T, name: string): void {
    this.#put(this.#keyOf(object), object, name);
  }

  replace(held: T, object: T, name: string): void {
    const [before, after] = [this.#keyOf(held), this.#keyOf(object)];
    if (before !== after) this.#drop(before, name);
    this.#put(after, object, name);
  }

  delete(object: T, name: string): void {
    this.#drop(this.#keyOf(object), name);
  }

  has(key: string): boolean {
    return this.#buckets.has(key);
  }

  /** As it is now: what changes later changes no list that was given out. */
  get(key: string): readonly T[] {
    const bucket = this.#buckets.get(key);
    if (!bucket) return NONE;
    bucket.list ??= this.#listOf(bucket);
    return bucket.list;
  }

  #listOf({ objects }: Bucket<T>): readonly T[] {
    const list = [...objects.values()];
    return this.#order && list.length > 1 ? list.sort(this.#order) : list;
  }

  #put(key: string | undefined, object: T, name: string): void {
    if (key === undefined) return;
    const bucket = this.#buckets.get(key);
    if (!bucket) {
      this.#buckets.set(key, { objects: new Map([[name, object]]), list: undefined });
      return;
    }
    bucket.objects.set(name, object);
    bucket.list = undefined;
  }

  #drop(key: string | undefined, name: string): void {
    const bucket = key === undefined ? undefined : this.#buckets.get(key);
    if (key === undefined || !bucket?.objects.delete(name)) return;
    bucket.list = undefined;
    if (bucket.objects.size === 0) this.#buckets.delete(key);
  }
}
