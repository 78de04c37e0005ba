import type { Clock, Random } from '../controllers/ports.ts';

/** Timers cannot wait longer in one go. */
const LONGEST_MS = 2 ** 31 - 1;

/** The time of the world. */
export const wallClock: Clock = {
  now: () => Date.now(),
  after(seconds, callback) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const now = Math.min(Math.max(0, leftMs), LONGEST_MS);
      timer = setTimeout(() => (leftMs > now ? wait(leftMs - now) : callback()), now);
    };
    wait(seconds * 1000);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { next: () => Math.random() };
