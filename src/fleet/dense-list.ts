/**
 * A list without gaps that adds, deletes and replaces its members in O(1). The last member takes the place of one that is deleted,
 * so the order follows from what was added and deleted, and means nothing else.
 */
export class DenseList<T> {
  readonly #members: T[] = [];
  readonly #places = new Map<T, number>();

  /** The members themselves, no copy: the list changes with the next addition or deletion. */
  get members(): readonly T[] {
    return this.#members;
  }

  /** Adding a member again changes nothing. */
  add(member: T): void {
    if (this.#places.has(member)) return;
    this.#places.set(member, this.#members.length);
    this.#members.push(member);
  }

  /** Deleting what is no member changes nothing. */
  delete(member: T): void {
    const place = this.#places.get(member);
    if (place === undefined) return;
    this.#places.delete(member);
    const last = this.#members.pop() as T;
    if (last === member) return;
    this.#members[place] = last;
    this.#places.set(last, place);
  }

  clear(): void {
    this.#members.length = 0;
    this.#places.clear();
  }
}
