import type { Random } from '../../controllers/ports.ts';

export interface BackoffOptions {
  readonly firstSeconds: number;
  readonly mostSeconds: number;
}

/**
 * How long to wait before the next try: doubling from the first to the most, each time drawn between half and the whole, so
 * that many clients do not come at once. A server that asks for longer gets it.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: Random;
  #tries = 0;

  constructor(options: BackoffOptions, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  nextSeconds(retryAfterSeconds = 0): number {
    const { firstSeconds, mostSeconds } = this.#options;
    const whole = Math.min(mostSeconds, firstSeconds * 2 ** this.#tries);
    this.#tries += whole < mostSeconds ? 1 : 0;
    const drawn = whole * (0.5 + this.#random.next() / 2);
    return Math.max(
      drawn,
      retryAfterSeconds + this.#random.next() * firstSeconds * Math.sign(retryAfterSeconds),
    );
  }

  reset(): void {
    this.#tries = 0;
  }
}
