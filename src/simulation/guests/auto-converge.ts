/**
 * QEMU slows a guest down that writes faster than its memory is copied, more from round to round (qemu migration/ram.c,
 * cpu-throttle-initial 20, cpu-throttle-increment 10, max-cpu-throttle 99, throttle-trigger-threshold 50): a guest that has its CPUs for
 * a fifth less of the time writes to a fifth fewer pages.
 */
import type { GuestMemory, MemoryCopy } from '../../decide/transfer/copy.ts';

const FIRST = 0.2;
const STEP = 0.1;
const MOST = 0.99;
/** A round counts against the guest where it wrote to more than this part of what was sent. */
const TRIGGER = 0.5;
const STRIKES = 2;

/** What QEMU remembers from round to round. */
export interface Throttle {
  /** The share of time without CPUs. */
  readonly share: number;
  readonly strikes: number;
  /** When the last round ended, of all that was sent by then. */
  readonly round: number;
  readonly transferredMB: number;
}

export const NO_THROTTLE: Throttle = { share: 0, strikes: 0, round: 1, transferredMB: 0 };

/** The throttle after another round, the copy being at the start of the next one. The same one where no round has ended since. */
export function afterRound(throttle: Throttle, copy: MemoryCopy): Throttle {
  if (copy.phase !== 'PreCopy' || copy.round <= throttle.round) return throttle;
  const sent = copy.transferredMB - throttle.transferredMB;
  const strikes = copy.remainingMB > sent * TRIGGER ? throttle.strikes + 1 : throttle.strikes;
  const seen = { ...throttle, round: copy.round, transferredMB: copy.transferredMB };
  if (strikes < STRIKES) return { ...seen, strikes };
  const share = throttle.share === 0 ? FIRST : Math.min(MOST, throttle.share + STEP);
  return { ...seen, strikes: 0, share };
}

/** The guest under a throttle. `free` is the same guest without one. */
export function throttled(free: GuestMemory, share: number): GuestMemory {
  const speed = 1 - share;
  return { ...free, coldDirtyMBps: free.coldDirtyMBps * speed, hotSetSeconds: free.hotSetSeconds / speed };
}
