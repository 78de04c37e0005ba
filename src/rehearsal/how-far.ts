import type { Observer } from './observer.ts';
import { hasArrived, type Story } from './story.ts';

/** How far a run is. */
export interface HowFar {
  /** Since it began. */
  readonly seconds: number;
  /** VMs that have moved, or were down and are up again, and are not about to once more. */
  readonly done: number;
  readonly vms: number;
}

/** Called again and again while a run goes on; `look` goes through all VMs, so ask only when the answer is wanted. */
export type OnCourse = (look: () => HowFar) => void;

export function howFar({ stories }: Pick<Observer, 'stories'>, seconds: number): HowFar {
  let done = 0;
  for (const story of stories.values()) if (isDone(story)) done++;
  return { seconds, done, vms: stories.size };
}

function isDone({ moves, outages }: Story): boolean {
  const isUnderWay =
    moves.some(({ endAt }) => endAt === undefined) || outages.some(({ upAt }) => upAt === undefined);
  return !isUnderWay && (moves.some(hasArrived) || outages.length > 0);
}
