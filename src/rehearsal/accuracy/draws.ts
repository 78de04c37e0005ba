import type { Random } from '../../controllers/ports.ts';

/** Draws for a made-up cluster. The same chance gives the same draws in the same order. */
export class Draws {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** One of them, each as likely; a value that is named twice is twice as likely. */
  pick<const Value>(...values: readonly [Value, ...Value[]]): Value {
    return values[Math.floor(this.#random.next() * values.length)] ?? values[0];
  }

  /** True so many times in a hundred. */
  percent(share: number): boolean {
    return this.#random.next() * 100 < share;
  }

  /** A whole number, both ends possible. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random.next() * (most - least + 1));
  }
}
