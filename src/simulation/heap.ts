/** The least of its members by `isBefore`, a total order. Adding and taking cost O(log n). */
export class Heap<T> {
  readonly #members: T[] = [];
  readonly #isBefore: (one: T, other: T) => boolean;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  add(member: T): void {
    this.#members.push(member);
    this.#rise(this.#members.length - 1);
  }

  /** Undefined: it is empty. */
  first(): T | undefined {
    return this.#members[0];
  }

  /** Does nothing where it is empty. */
  dropFirst(): void {
    const last = this.#members.pop();
    if (last === undefined || this.#members.length === 0) return;
    this.#members[0] = last;
    this.#sink(0);
  }

  #rise(index: number): void {
    let child = index;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isEarlier(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  #sink(index: number): void {
    let parent = index;
    for (;;) {
      const left = 2 * parent + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#isEarlier(child, parent)) return;
      this.#swap(child, parent);
      parent = child;
    }
  }

  /** No where there is none at `a` or at `b`. */
  #isEarlier(a: number, b: number): boolean {
    const [one, other] = [this.#members[a], this.#members[b]];
    return one !== undefined && other !== undefined && this.#isBefore(one, other);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#members[a], this.#members[b]];
    if (one === undefined || other === undefined) return;
    this.#members[a] = other;
    this.#members[b] = one;
  }
}
