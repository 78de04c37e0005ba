import type { Instant } from '../kubevirt/time.ts';

export interface Timer {
  readonly at: Instant;
  readonly callback: () => void;
}

interface Entry extends Timer {
  readonly order: number;
  isOff: boolean;
}

/** Timers, the earliest first; of equal ones the one added first. Adding and taking cost O(log n), calling off O(1). */
export class TimerHeap {
  readonly #entries: Entry[] = [];
  #added = 0;

  /** The returned function calls the timer off. */
  add(at: Instant, callback: () => void): () => void {
    const entry: Entry = { at, callback, order: this.#added++, isOff: false };
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
    return () => {
      entry.isOff = true;
    };
  }

  first(): Timer | undefined {
    while (this.#entries[0]?.isOff) this.#dropFirst();
    return this.#entries[0];
  }

  takeFirst(): void {
    if (this.first()) this.#dropFirst();
  }

  #dropFirst(): void {
    const last = this.#entries.pop();
    if (!last || this.#entries.length === 0) return;
    this.#entries[0] = last;
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
    const [one, other] = [this.#entries[a], this.#entries[b]];
    if (!one || !other) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#entries[a], this.#entries[b]];
    if (!one || !other) return;
    this.#entries[a] = other;
    this.#entries[b] = one;
  }
}
