import type { Instant } from '../kubevirt/time.ts';
import { Heap } from './heap.ts';

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
  readonly #entries = new Heap<Entry>(isEarlier);
  #added = 0;

  /** The returned function calls the timer off. */
  add(at: Instant, callback: () => void): () => void {
    const entry: Entry = { at, callback, order: this.#added++, isOff: false };
    this.#entries.add(entry);
    return () => {
      entry.isOff = true;
    };
  }

  first(): Timer | undefined {
    while (this.#entries.first()?.isOff) this.#entries.dropFirst();
    return this.#entries.first();
  }

  takeFirst(): void {
    if (this.first()) this.#entries.dropFirst();
  }
}

function isEarlier(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
