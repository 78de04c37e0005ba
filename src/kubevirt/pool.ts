/** What a pool remembers at most; beyond, it forgets everything and starts anew, so that it never leaks. */
const MOST_TEXTS = 1_000_000;
const MOST_OBJECTS = 100_000;
/** A longer text seldom comes twice, and a key as long as this costs more than it saves. */
const LONGEST_TEXT = 200;
const LONGEST_KEY = 2_000;

/**
 * One copy of what is equal. Clusters repeat themselves: the same images, node names, labels, conditions, domains.
 *
 * Promise: the answer equals the argument. Shared objects are frozen to the bottom, so that nobody changes them for
 * another owner. A pool can be dropped at any time; what it gave stays valid.
 */
export class Pool {
  readonly #texts = new Map<string, string>();
  readonly #objects = new Map<string, object>();

  text(value: string): string {
    if (value.length > LONGEST_TEXT) return value;
    const held = this.#texts.get(value);
    if (held !== undefined) return held;
    if (this.#texts.size >= MOST_TEXTS) this.#texts.clear();
    this.#texts.set(value, value);
    return value;
  }

  /** The shared copy of a JSON value. What is too big to be kept as a whole is shared part by part. */
  share<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const key = JSON.stringify(value);
    const held = this.#objects.get(key);
    if (held !== undefined) return held as T;
    this.#shareParts(value);
    if (key.length <= LONGEST_KEY) this.#keep(key, value);
    return value;
  }

  #shareParts(value: object): void {
    const parts = value as Record<string, unknown>;
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part === 'object' && part !== null) parts[name] = this.share(part);
    }
    Object.freeze(value);
  }

  #keep(key: string, value: object): void {
    if (this.#objects.size >= MOST_OBJECTS) this.#objects.clear();
    this.#objects.set(key, value);
  }
}
