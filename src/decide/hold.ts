import type { Instant } from '../kubevirt/time.ts';
import { retryDelaySeconds } from './workload-update/retry.ts';

/** Why nothing is tried for a VMI at the moment. */
export interface Refusal {
  /** Stable CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** A VMI that was refused something waits before it is tried again, by itself; others go on. */
export interface Hold extends Refusal {
  /** Refusals in a row. */
  readonly failures: number;
  readonly until: Instant;
}

/** After another refusal: 5 seconds, doubling with each in a row, at most 300. */
export function holdAfter(before: Hold | undefined, { reason, message }: Refusal, now: Instant): Hold {
  const failures = (before?.failures ?? 0) + 1;
  return { reason, message, failures, until: now + retryDelaySeconds(failures) * 1000 };
}

/** Until the very instant at which it ends. */
export function isHeld(hold: Hold | undefined, now: Instant): boolean {
  return hold !== undefined && now < hold.until;
}

/** Whether somebody should be told: of a first refusal, and of one for another cause than before. */
export function isNews(before: Refusal | undefined, refusal: Refusal): boolean {
  return before?.reason !== refusal.reason || before.message !== refusal.message;
}
