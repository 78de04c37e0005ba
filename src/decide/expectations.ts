import type { Instant } from '../kubevirt/time.ts';

/**
 * Creations that a controller has asked for and not yet seen come back through its watch. Until they are seen, a new
 * pass would count too few objects and create them twice.
 */
export interface CreationExpectation {
  /** Creations not yet seen; an observation too many makes it negative. */
  readonly pending: number;
  readonly setAt: Instant;
}

/** Kubernetes' controllers stop waiting after five minutes: an event may have been lost. */
export const EXPECTATION_TIMEOUT_SECONDS = 300;

/**
 * Whether a controller may act on what it sees.
 *
 * Promise: nothing expected, nothing pending, or *more* than five minutes old; at exactly five minutes it still waits.
 */
export function areExpectationsMet(expectation: CreationExpectation | undefined, now: Instant): boolean {
  if (expectation === undefined || expectation.pending <= 0) return true;
  return now - expectation.setAt > EXPECTATION_TIMEOUT_SECONDS * 1000;
}

/** A creation was seen, or failed and will never be seen. Keeps the time at which waiting began. */
export function creationObserved(
  expectation: CreationExpectation | undefined,
): CreationExpectation | undefined {
  return expectation && { pending: expectation.pending - 1, setAt: expectation.setAt };
}
