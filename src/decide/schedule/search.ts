/**
 * Looks for an order of placing with a short schedule: longest first, then small changes to the order, kept where they do
 * no harm, until the lower bound is met or the effort is spent.
 */
import { type Placing, placeInOrder } from './placing.ts';
import type { Tasks } from './resources.ts';

export interface Effort {
  /** How many placings of all moves may be tried: at least one is. */
  readonly placings: number;
  /** Numbers from 0 to below 1: the same give the same schedule. */
  readonly draw: () => number;
}

/** As many as take about a second: a placing takes as long as the square of the moves, but small ones are done soon. */
export function usualPlacings(moves: number): number {
  return Math.round(Math.min(10_000, Math.max(1, 40_000_000 / (moves * moves))));
}

interface Attempt {
  readonly order: readonly number[];
  readonly placing: Placing;
  /** Milliseconds by which moves end after the bound, all together: tells apart schedules of one length. */
  readonly overrun: number;
}

/**
 * The best placing found, never worse than longest first.
 *
 * Promise: deterministic for the given draws. Stops as soon as it is no longer than `bound`, in milliseconds.
 */
export function searchPlacing(tasks: Tasks, bound: number, effort: Effort): Placing {
  let left = effort.placings;
  const attempt = (order: readonly number[]): Attempt => {
    left -= 1;
    const placing = placeInOrder(tasks, order);
    return { order, placing, overrun: overrunOf(tasks, placing, bound) };
  };
  const settled = (order: readonly number[]): Attempt => {
    let current = attempt(order);
    while (left > 0) {
      const turned = attempt(lastEndFirst(tasks, current));
      if (!isShorter(turned, current)) return current;
      current = turned;
    }
    return current;
  };
  let kept = settled(longestFirst(tasks));
  while (left > 0 && kept.placing.makespan > bound) {
    const changed = settled(changedOrder(kept.order, effort.draw));
    if (isNoWorse(changed, kept)) kept = changed;
  }
  return kept.placing;
}

function longestFirst({ tasks, started }: Tasks): number[] {
  const length = (index: number) => tasks[index]?.milliseconds ?? 0;
  return [...tasks.keys()].slice(started).sort((a, b) => length(b) - length(a) || a - b);
}

/**
 * The schedule read backwards. A schedule turned round in time is one too, so placing what ended last first can only
 * close gaps (forward-backward improvement, Li and Willis).
 */
function lastEndFirst({ tasks }: Tasks, { order, placing }: Attempt): number[] {
  const end = (index: number) => (placing.starts[index] ?? 0) + (tasks[index]?.milliseconds ?? 0);
  return [...order].sort((a, b) => end(b) - end(a));
}

const MOST_CHANGES = 3;

/** One to three times, two moves change places or one goes to another place. */
function changedOrder(order: readonly number[], draw: () => number): number[] {
  const changed = [...order];
  const anyPlace = () => Math.floor(draw() * changed.length);
  for (let changes = 1 + Math.floor(draw() * MOST_CHANGES); changes > 0; changes -= 1) {
    if (draw() < 0.5) swapPlaces(changed, anyPlace(), anyPlace());
    else changed.splice(anyPlace(), 0, ...changed.splice(anyPlace(), 1));
  }
  return changed;
}

function swapPlaces(order: number[], one: number, other: number): void {
  const [first = 0, second = 0] = [order[one], order[other]];
  order[one] = second;
  order[other] = first;
}

function overrunOf({ tasks }: Tasks, { starts }: Placing, bound: number): number {
  return tasks.reduce(
    (sum, { milliseconds }, index) => sum + Math.max(0, (starts[index] ?? 0) + milliseconds - bound),
    0,
  );
}

function isShorter(a: Attempt, b: Attempt): boolean {
  return a.placing.makespan < b.placing.makespan;
}

/** Equally good ones are taken too, so that the search does not get stuck on a plain. */
function isNoWorse(a: Attempt, b: Attempt): boolean {
  return isShorter(a, b) || (!isShorter(b, a) && a.overrun <= b.overrun);
}
