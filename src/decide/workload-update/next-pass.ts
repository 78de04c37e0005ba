import type { Instant } from '../../kubevirt/time.ts';
import type { Behavior } from '../rules.ts';
import type { BatchLimits, BatchState } from './batch.ts';
import { THROTTLE_SECONDS } from './retry.ts';

export interface NextPassInput {
  /** What the plan of this pass asked for; absent: nothing is left to do. */
  readonly plannedSeconds: number | undefined;
  /** Whether there is a VMI that could be evicted, were there a place for it. */
  readonly hasEvictable: boolean;
  readonly batch: BatchState;
  readonly limits: BatchLimits;
  /** The earliest time at which a VMI that was refused may be tried again. */
  readonly heldUntil: Instant | undefined;
  /** When time alone may put a VMI in another category: a clock that is ahead dates instants ahead. */
  readonly changesAt?: Instant | undefined;
  readonly now: Instant;
  readonly behavior: Behavior;
}

/** Passes are at least so far apart, whatever is asked for. */
const SHORTEST_SECONDS = 1;

/**
 * How soon v1.9.0 notices anything while there is work left: it asks for another pass after 30 ns, and so never rests. A pass at
 * every change and at the end of the rest between batches has the same effect without the heat.
 */
export const RESTLESS_SECONDS = 0.02;

/** For changes that nobody tells. */
const LONGEST_SECONDS = 30;

/** A moment behind the end of the rest, which must be over *strictly*. */
const MOMENT_SECONDS = 0.001;

/**
 * When the next pass is due if no event comes before.
 *
 * Promise: nothing where nothing is left to do and time changes nothing, so that the updater sleeps. `exact`: when the rest between batches ends, if somebody
 * waits for that. `intended`: at least a second from now; when the
 * rest between batches ends, where somebody waits for that; after the usual throttle where a pass has tried as many as
 * it may and others are left; when the first of the refused may be tried again, though not before the throttle; when time alone changes
 * something; and at the latest when the plan says.
 */
export function nextPassSeconds(input: NextPassInput): number | undefined {
  const { plannedSeconds, behavior, changesAt, now } = input;
  if (behavior === 'exact') return plannedSeconds === undefined ? undefined : secondsToBatch(input);
  const work = plannedSeconds === undefined ? [] : [plannedSeconds, ...ownWishes(input)];
  const wishes = changesAt === undefined ? work : [...work, (changesAt - now) / 1000];
  return wishes.length === 0 ? undefined : Math.max(SHORTEST_SECONDS, Math.min(...wishes));
}

function secondsToBatch({ hasEvictable, batch, limits, now }: NextPassInput): number {
  if (!hasEvictable) return LONGEST_SECONDS;
  const rest = batch.lastAt === undefined ? 0 : limits.intervalSeconds - (now - batch.lastAt) / 1000;
  return Math.min(LONGEST_SECONDS, Math.max(RESTLESS_SECONDS, rest + MOMENT_SECONDS));
}

function ownWishes({ hasEvictable, batch, limits, heldUntil, now }: NextPassInput): number[] {
  const evictions = hasEvictable && limits.size > 0 ? [secondsToPlace(batch, limits, now)] : [];
  const retries = heldUntil === undefined ? [] : [Math.max(THROTTLE_SECONDS, (heldUntil - now) / 1000)];
  return [...evictions, ...retries];
}

/**
 * How long until an eviction has a place in a batch. A batch that is full although its rest is over could not begin anew in this
 * pass, which began a moment too early: nothing else would bring the updater for a whole throttle.
 */
function secondsToPlace({ lastAt, accepted }: BatchState, limits: BatchLimits, now: Instant): number {
  if (lastAt === undefined || accepted < limits.size) return THROTTLE_SECONDS;
  return limits.intervalSeconds - (now - lastAt) / 1000 + MOMENT_SECONDS;
}
