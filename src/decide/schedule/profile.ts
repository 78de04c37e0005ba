/** How much of one resource is taken when: steps in time, each lasting until the next. Times are whole milliseconds. */
import { ROUNDING } from './resources.ts';

/** The last step has no end and nothing taken. */
export interface Profile {
  readonly startsAt: number[];
  readonly taken: number[];
}

/** All is free from 0 on. */
export function emptyProfile(): Profile {
  return { startsAt: [0], taken: [0] };
}

/**
 * The first instant, not before `from`, from which so much stays free for so long. Infinite where the amount is more than
 * the capacity.
 */
export function firstFree(
  profile: Profile,
  from: number,
  milliseconds: number,
  amount: number,
  capacity: number,
): number {
  const most = capacity - amount + ROUNDING;
  const { startsAt, taken } = profile;
  let start = from;
  for (let step = stepAt(profile, from); step < startsAt.length; step += 1) {
    if ((startsAt[step] ?? 0) >= start + milliseconds) return start;
    if ((taken[step] ?? 0) > most) start = startsAt[step + 1] ?? Number.POSITIVE_INFINITY;
  }
  return start;
}

/** The step in which an instant lies. */
function stepAt({ startsAt }: Profile, at: number): number {
  let [low, high] = [0, startsAt.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((startsAt[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Takes so much from an instant to another. */
export function take(profile: Profile, start: number, end: number, amount: number): void {
  const first = splitAt(profile, start);
  const last = splitAt(profile, end);
  for (let step = first; step < last; step += 1) profile.taken[step] = (profile.taken[step] ?? 0) + amount;
}

/** The index of the step that starts at an instant, which becomes one if it is none. */
function splitAt(profile: Profile, at: number): number {
  const step = stepAt(profile, at);
  if (profile.startsAt[step] === at) return step;
  profile.startsAt.splice(step + 1, 0, at);
  profile.taken.splice(step + 1, 0, profile.taken[step] ?? 0);
  return step + 1;
}

/** How much is taken at an instant. */
export function takenAt(profile: Profile, at: number): number {
  return profile.taken[stepAt(profile, at)] ?? 0;
}
