import type { Change, Log } from '../controllers/ports.ts';
import { messageOf } from '../kubevirt/thrown.ts';

/** Those who are told of changes. One that throws is told on to the log, and does not keep the others from hearing. */
export class Listeners {
  readonly #log: Log;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(log: Log) {
    this.#log = log;
  }

  add(listener: (change: Change) => void): () => void {
    const own = (change: Change): void => listener(change);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(change: Change): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        const { kind, key } = change;
        this.#log.write('error', 'a listener failed', { kind, key, problem: messageOf(error) });
      }
    }
  }
}
