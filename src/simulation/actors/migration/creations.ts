import type { Clock } from '../../../controllers/ports.ts';
import {
  areExpectationsMet,
  type CreationExpectation,
  creationObserved,
} from '../../../decide/expectations.ts';

/** Pods that were asked for and are not seen yet, by the key of their migration. */
export class Creations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, CreationExpectation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  expect(key: string): void {
    const pending = (this.#expected.get(key)?.pending ?? 0) + 1;
    this.#expected.set(key, { pending, setAt: this.#clock.now() });
  }

  /** A pod of the migration came, or its creation failed. */
  observe(key: string): void {
    const left = creationObserved(this.#expected.get(key));
    if (left && left.pending > 0) this.#expected.set(key, left);
    else this.#expected.delete(key);
  }

  /** Nothing of this migration is under way. */
  areSeen(key: string): boolean {
    return areExpectationsMet(this.#expected.get(key), this.#clock.now());
  }

  /** How many pods of all migrations are under way. */
  unseen(): number {
    return [...this.#expected.values()].reduce((sum, { pending }) => sum + pending, 0);
  }

  forget(key: string): void {
    this.#expected.delete(key);
  }
}
