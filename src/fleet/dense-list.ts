/**
 * A list without gaps that adds, deletes and replaces its members by key in O(1). The last member takes the place of one that is
 * deleted, so the order follows from what was put and deleted, and means nothing else.
 */
export class DenseList<T> {
  readonly #members: T[] = [];
  /** Of each member, in the same place. */
  readonly #keys: string[] = [];
  readonly #places = new Map<string, number>();

  /** The members themselves, no copy: the list changes with the next addition or deletion. */
  get members(): readonly T[] {
    return this.#members;
  }

  /** The member of this key from now on, the last one. */
  put(key: string, member: T): void {
    const place = this.#places.get(key) ?? this.#members.length;
    const end = Math.max(place, this.#members.length - 1);
    if (place !== end) this.#move(end, place);
    this.#members[end] = member;
    this.#keys[end] = key;
    this.#places.set(key, end);
  }

  /** Deleting what is no member changes nothing. */
  delete(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    const end = this.#members.length - 1;
    if (place !== end) this.#move(end, place);
    this.#members.pop();
    this.#keys.pop();
    this.#places.delete(key);
  }

  clear(): void {
    this.#members.length = 0;
    this.#keys.length = 0;
    this.#places.clear();
  }

  #move(from: number, to: number): void {
    const key = this.#keys[from] as string;
    this.#members[to] = this.#members[from] as T;
    this.#keys[to] = key;
    this.#places.set(key, to);
  }
}
