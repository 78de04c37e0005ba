/** How short a schedule can be at best: what no order of the moves can beat. */
import { type Resource, ROUNDING, type Tasks } from './resources.ts';

/** `LongestMove`: one move alone takes so long. `FullResource`: all that must go over one resource takes so long. */
export interface LowerBound {
  /** Not necessarily whole ones. */
  readonly milliseconds: number;
  readonly reason: 'LongestMove' | 'FullResource';
  /** With `FullResource`: which. */
  readonly resource?: Resource | undefined;
}

/**
 * The largest of the lower bounds. Of equal ones the longest move comes first, then the resource that a move needs first.
 *
 * Promise: no schedule that keeps to the capacities is shorter. Nothing to move gives 0.
 */
export function lowerBound(tasks: Tasks): LowerBound {
  const longest = tasks.tasks.reduce((most, { milliseconds }) => Math.max(most, milliseconds), 0);
  let best: LowerBound = { milliseconds: longest, reason: 'LongestMove' };
  const uses = usesOf(tasks);
  tasks.resources.forEach((resource, index) => {
    const milliseconds = busyFor(resource.capacity, uses[index] ?? []);
    if (milliseconds > best.milliseconds) best = { milliseconds, reason: 'FullResource', resource };
  });
  return best;
}

interface Use {
  readonly milliseconds: number;
  readonly amount: number;
}

function usesOf({ resources, tasks }: Tasks): Use[][] {
  const uses: Use[][] = resources.map(() => []);
  for (const { milliseconds, claims } of tasks) {
    for (const { resource, amount } of claims) uses[resource]?.push({ milliseconds, amount });
  }
  return uses;
}

/** For each resource, the milliseconds that it needs at least for all that goes over it. */
export function busyTimes(tasks: Tasks): number[] {
  const uses = usesOf(tasks);
  return tasks.resources.map(({ capacity }, index) => busyFor(capacity, uses[index] ?? []));
}

function busyFor(capacity: number, uses: readonly Use[]): number {
  const work = uses.reduce((sum, { milliseconds, amount }) => sum + milliseconds * amount, 0);
  return Math.max(work / capacity, pigeonhole(capacity, uses));
}

/**
 * If at most n fit at once, then of the k·n+1 longest some k+1 follow one another, and take at least as long as the
 * shortest k+1 of them.
 */
function pigeonhole(capacity: number, uses: readonly Use[]): number {
  const narrowest = uses.reduce((least, { amount }) => Math.min(least, amount), Number.POSITIVE_INFINITY);
  const lanes = Math.floor((capacity + ROUNDING) / narrowest);
  if (lanes < 1) return 0;
  const longestFirst = uses.map(({ milliseconds }) => milliseconds).sort((a, b) => b - a);
  let most = 0;
  for (let k = 1; k * lanes < longestFirst.length; k += 1) {
    const followers = longestFirst.slice(k * lanes - k, k * lanes + 1);
    most = Math.max(
      most,
      followers.reduce((sum, milliseconds) => sum + milliseconds, 0),
    );
  }
  return most;
}
