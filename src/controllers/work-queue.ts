import type { Instant } from '../kubevirt/time.ts';
import type { Clock } from './ports.ts';
import type { RateLimiter } from './rate-limit.ts';

interface Waiting {
  readonly readyAt: Instant;
  readonly callOff: () => void;
}

/**
 * Keys that wait for work, as client-go's work queue keeps them.
 *
 * Promise: a key is in the queue once, however often it is added. A key that is being worked on is not handed out again before
 * `done`; added meanwhile, it comes again afterwards. Keys come in the order in which they became ready. A key that waits
 * and is added with another delay comes at the earlier time of the two. After `stop` nothing is handed out any more.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #ready = new Set<string>();
  readonly #working = new Set<string>();
  /** Added while they were worked on. */
  readonly #again = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #stopped = false;

  constructor(clock: Clock, limiter: RateLimiter) {
    this.#clock = clock;
    this.#limiter = limiter;
  }

  /** Keys that are ready, without those that wait for their time or are worked on. */
  get depth(): number {
    return this.#ready.size;
  }

  add(key: string): void {
    if (this.#stopped) return;
    if (this.#working.has(key)) this.#again.add(key);
    else this.#ready.add(key);
    this.#handOut();
  }

  /** Adds the key after so many seconds; at once for zero and below. */
  addAfter(key: string, seconds: number): void {
    if (this.#stopped) return;
    if (seconds <= 0) {
      this.add(key);
      return;
    }
    const readyAt = this.#clock.now() + seconds * 1000;
    const held = this.#waiting.get(key);
    if (held && held.readyAt <= readyAt) return;
    held?.callOff();
    const callOff = this.#clock.after(seconds, () => {
      this.#waiting.delete(key);
      this.add(key);
    });
    this.#waiting.set(key, { readyAt, callOff });
  }

  /** Adds a key that failed, after as long as the limiter says. */
  addRateLimited(key: string): void {
    this.addAfter(key, this.#limiter.delaySeconds(key, this.#clock.now()));
  }

  /** The key succeeded: the limiter's count of its failures begins anew. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  /** The next key, when there is one; it is being worked on until `done`. Undefined: the queue has been stopped. */
  next(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#handOut();
    });
  }

  done(key: string): void {
    this.#working.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  stop(): void {
    this.#stopped = true;
    for (const { callOff } of this.#waiting.values()) callOff();
    this.#waiting.clear();
    this.#ready.clear();
    this.#again.clear();
    this.#handOut();
  }

  #handOut(): void {
    while (this.#takers.length > 0) {
      const [key] = this.#ready;
      if (key === undefined && !this.#stopped) return;
      if (key !== undefined) {
        this.#ready.delete(key);
        this.#working.add(key);
      }
      this.#takers.shift()?.(key);
    }
  }
}
