import type { Instant } from '../kubevirt/time.ts';

/** How long a key that failed waits for its next turn. */
export interface RateLimiter {
  /** Counts a failure of the key, and gives the wait for it. */
  delaySeconds(key: string, now: Instant): number;
  /** The key succeeded: its count begins anew. */
  forget(key: string): void;
}

/** Each key by itself: the n-th failure in a row (1 is the first) waits as the function says. */
export class KeyBackoff implements RateLimiter {
  readonly #secondsAfter: (failures: number) => number;
  readonly #failures = new Map<string, number>();

  constructor(secondsAfter: (failures: number) => number) {
    this.#secondsAfter = secondsAfter;
  }

  delaySeconds(key: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    return this.#secondsAfter(failures);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}

/** Doubling from the first to the most seconds, as client-go's exponential limiter does. */
export function doubling(firstSeconds: number, mostSeconds: number): (failures: number) => number {
  return (failures) => Math.min(mostSeconds, firstSeconds * 2 ** (failures - 1));
}

/** All keys together: a token every so many seconds, and so many saved at most. Those who come when there is none queue up. */
export class TokenBucket implements RateLimiter {
  readonly #everyMs: number;
  readonly #burst: number;
  /** When the bucket would be full again, had nobody come since. */
  #fullAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(everySeconds: number, burst: number) {
    this.#everyMs = everySeconds * 1000;
    this.#burst = burst;
  }

  delaySeconds(_key: string, now: Instant): number {
    this.#fullAt = Math.max(this.#fullAt, now) + this.#everyMs;
    return Math.max(0, this.#fullAt - now - this.#burst * this.#everyMs) / 1000;
  }

  forget(): void {}
}

/** The longest wait of several limiters; all of them count. */
export function longestOf(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    delaySeconds: (key, now) => Math.max(...limiters.map((limiter) => limiter.delaySeconds(key, now))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
  };
}

/** client-go's DefaultControllerRateLimiter: 5 ms doubling to 1000 s a key, 10 a second and 100 at once for all. */
export function defaultRateLimiter(): RateLimiter {
  return longestOf(new KeyBackoff(doubling(0.005, 1000)), new TokenBucket(0.1, 100));
}
