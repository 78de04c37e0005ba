/**
 * Objects by one derived key. An object without a key is in no bucket. Adding, replacing, deleting and reading cost O(1) on buckets of
 * bounded size. An object that is replaced by one of the same key keeps its place.
 */
export class Index<T> {
  readonly #keyOf: (object: T) => string | undefined;
  /** By the derived key, then by what names the object. */
  readonly #buckets = new Map<string, Map<string, T>>();

  constructor(keyOf: (object: T) => string | undefined) {
    this.#keyOf = keyOf;
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

  /** A list of its own. */
  get(key: string): T[] {
    const bucket = this.#buckets.get(key);
    return bucket ? [...bucket.values()] : [];
  }

  #put(key: string | undefined, object: T, name: string): void {
    if (key === undefined) return;
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.set(name, object);
    else this.#buckets.set(key, new Map([[name, object]]));
  }

  #drop(key: string | undefined, name: string): void {
    const bucket = key === undefined ? undefined : this.#buckets.get(key);
    if (key === undefined || !bucket?.delete(name)) return;
    if (bucket.size === 0) this.#buckets.delete(key);
  }
}
