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

/**
 * Time that never goes back, whatever is done to the machine's clock, and that goes on while the machine sleeps: for limits
 * that others count too.
 */
export const steadyClock: Clock = { now: steadyNow, after: wallClock.after };

let lostMs = 0;

function steadyNow(): number {
  const steady = performance.timeOrigin + performance.now() + lostMs;
  const behind = Date.now() - steady;
  if (behind > 1_000) lostMs += behind;
  return performance.timeOrigin + performance.now() + lostMs;
}

export const systemRandom: Random = { next: () => Math.random() };
