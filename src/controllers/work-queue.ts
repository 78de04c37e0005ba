import type { Instant } from '../kubevirt/time.ts';
import type { Clock } from './ports.ts';
import type { RateLimiter } from './rate-limit.ts';
import { ReadyKeys } from './ready-keys.ts';

interface Waiting {
  readonly readyAt: Instant;
  readonly value: number;
  readonly callOff: () => void;
}

/**
 * Keys that wait for work, as client-go's work queue keeps them; or, where some are worth more than others, controller-runtime's
 * priority queue.
 *
 * Promise: a key is in the queue once, however often it is added. A key that is being worked on is not handed out again before
 * `done`; added meanwhile, it comes again afterwards. Of the keys that are ready the one of the highest value comes first, of equal
 * ones the one that became ready first. A key that waits and is added with another delay comes at the earlier time of the two, at the
 * higher value. After `stop` nothing is handed out any more.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #worthOf: (key: string) => number;
  readonly #ready = new ReadyKeys();
  /** As many as there are workers: a set that gains and loses a key at each pass is made anew every few passes. */
  readonly #working: string[] = [];
  /** Added while they were worked on. */
  readonly #again = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #stopped = false;

  /** `worthOf` says what a key is worth that comes without a value. */
  constructor(clock: Clock, limiter: RateLimiter, worthOf: (key: string) => number = () => 0) {
    this.#clock = clock;
    this.#limiter = limiter;
    this.#worthOf = worthOf;
  }

  /** Keys that are ready, without those that wait for their time or are worked on. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Whether a key will be handed out without anything else happening than that the ones in work are done with. */
  get hasMore(): boolean {
    return this.#ready.size + this.#again.size > 0;
  }

  add(key: string, value: number = this.#worthOf(key)): void {
    if (this.#stopped) return;
    if (this.#working.includes(key)) this.#again.set(key, Math.max(value, this.#again.get(key) ?? value));
    else this.#ready.add(key, value);
    this.#handOut();
  }

  /** Adds the key after so many seconds; at once for zero and below. */
  addAfter(key: string, seconds: number, value: number = this.#worthOf(key)): void {
    if (this.#stopped) return;
    if (seconds <= 0) {
      this.add(key, value);
      return;
    }
    const readyAt = this.#clock.now() + seconds * 1000;
    const held = this.#waiting.get(key);
    if (held && held.readyAt <= readyAt) {
      if (value > held.value) this.#waiting.set(key, { ...held, value });
      return;
    }
    held?.callOff();
    const callOff = this.#clock.after(seconds, () => this.#endWaiting(key));
    this.#waiting.set(key, { readyAt, value: Math.max(value, held?.value ?? value), callOff });
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
    const key = this.#take();
    if (key !== undefined || this.#stopped) return Promise.resolve(key);
    return new Promise((resolve) => void this.#takers.push(resolve));
  }

  done(key: string): void {
    const place = this.#working.indexOf(key);
    if (place >= 0) this.#working.splice(place, 1);
    const value = this.#again.get(key);
    if (value === undefined) return;
    this.#again.delete(key);
    this.add(key, value);
  }

  stop(): void {
    this.#stopped = true;
    for (const { callOff } of this.#waiting.values()) callOff();
    this.#waiting.clear();
    this.#ready.clear();
    this.#again.clear();
    this.#handOut();
  }

  #endWaiting(key: string): void {
    const value = this.#waiting.get(key)?.value;
    this.#waiting.delete(key);
    this.add(key, value);
  }

  #handOut(): void {
    while (this.#takers.length > 0) {
      const key = this.#take();
      if (key === undefined && !this.#stopped) return;
      this.#takers.shift()?.(key);
    }
  }

  #take(): string | undefined {
    const key = this.#ready.take();
    if (key !== undefined) this.#working.push(key);
    return key;
  }
}
