/** Seeded chance: the same seed gives the same fleet on every machine and Node version. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next 32 bits (mulberry32). */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 to `below` − 1. */
  int(below: number): number {
    return Math.floor((this.bits() / 0x1_0000_0000) * below);
  }

  /** True in `percent` of 100 draws. */
  percent(percent: number): boolean {
    return (this.bits() / 0x1_0000_0000) * 100 < percent;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.int(choices.length)] ?? choices[0];
  }

  /** One of the choices, each as often as its weight says. */
  weighted<const T>(choices: readonly (readonly [T, number])[]): T {
    const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
    let draw = (this.bits() / 0x1_0000_0000) * total;
    const found = choices.find(([, weight]) => {
      draw -= weight;
      return draw < 0;
    });
    if (!found) throw new Error('no choice to draw from');
    return found[0];
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.bits().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    const hex = this.hex(32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
