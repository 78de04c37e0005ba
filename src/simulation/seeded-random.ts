import type { Random } from '../controllers/ports.ts';

/** Chance that repeats: the same seed gives the same numbers (splitmix32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return {
    next: () => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
    },
  };
}
