import type { KeyQueue } from '../../../controllers/controller.ts';
import type { Clock } from '../../../controllers/ports.ts';
import type { RateLimiter } from '../../../controllers/rate-limit.ts';
import type { Instant } from '../../../kubevirt/time.ts';

interface Waiting {
  readonly readyAt: Instant;
  readonly value: number;
  readonly callOff: () => void;
}

/**
 * A work queue in which a key may be worth more than others, as controller-runtime's priority queue keeps it.
 *
 * Promise: as `WorkQueue`, but of the keys that are ready the one of the highest value comes first, of equal ones the one
 * that became ready first. A key that is added again with a higher value is worth that.
 */
export class PriorityQueue implements KeyQueue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #worthOf: (key: string) => number;
  /** Ready keys by value, in order. */
  readonly #ready = new Map<number, Set<string>>();
  readonly #values = new Map<string, number>();
  readonly #working = new Set<string>();
  /** Added while they were worked on. */
  readonly #again = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #stopped = false;

  /** `worthOf` says what a key is worth that comes without a value. */
  constructor(clock: Clock, limiter: RateLimiter, worthOf: (key: string) => number) {
    this.#clock = clock;
    this.#limiter = limiter;
    this.#worthOf = worthOf;
  }

  get depth(): number {
    return this.#values.size;
  }

  /** Whether a key will be handed out without anything else happening than that the ones in work are done with. */
  get hasMore(): boolean {
    return this.#values.size + this.#again.size > 0;
  }

  add(key: string, value = this.#worthOf(key)): void {
    if (this.#stopped) return;
    if (this.#working.has(key)) this.#again.set(key, Math.max(value, this.#again.get(key) ?? value));
    else this.#makeReady(key, value);
    this.#handOut();
  }

  /** Adds the key after so many seconds; at once for zero and below. */
  addAfter(key: string, seconds: number, value = this.#worthOf(key)): void {
    if (this.#stopped) return;
    if (seconds <= 0) {
      this.add(key, value);
      return;
    }
    const held = this.#waiting.get(key);
    const readyAt = this.#clock.now() + seconds * 1000;
    if (held && held.readyAt <= readyAt) {
      this.#waiting.set(key, { ...held, value: Math.max(value, held.value) });
      return;
    }
    held?.callOff();
    const callOff = this.#clock.after(seconds, () => this.#endWaiting(key));
    this.#waiting.set(key, { readyAt, value: Math.max(value, held?.value ?? value), callOff });
  }

  addRateLimited(key: string): void {
    this.addAfter(key, this.#limiter.delaySeconds(key, this.#clock.now()));
  }

  forget(key: string): void {
    this.#limiter.forget(key);
  }

  next(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#handOut();
    });
  }

  done(key: string): void {
    this.#working.delete(key);
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
    this.#values.clear();
    this.#again.clear();
    this.#handOut();
  }

  #endWaiting(key: string): void {
    const value = this.#waiting.get(key)?.value;
    this.#waiting.delete(key);
    this.add(key, value);
  }

  #makeReady(key: string, value: number): void {
    const held = this.#values.get(key);
    if (held !== undefined && held >= value) return;
    if (held !== undefined) this.#ready.get(held)?.delete(key);
    const keys = this.#ready.get(value);
    if (keys) keys.add(key);
    else this.#ready.set(value, new Set([key]));
    this.#values.set(key, value);
  }

  #handOut(): void {
    while (this.#takers.length > 0) {
      const key = this.#takeFirst();
      if (key === undefined && !this.#stopped) return;
      this.#takers.shift()?.(key);
    }
  }

  #takeFirst(): string | undefined {
    if (this.#values.size === 0) return undefined;
    const highest = Math.max(...[...this.#ready].filter(([, keys]) => keys.size > 0).map(([value]) => value));
    const keys = this.#ready.get(highest);
    const [key] = keys ?? [];
    if (key === undefined) return undefined;
    keys?.delete(key);
    this.#values.delete(key);
    this.#working.add(key);
    return key;
  }
}
