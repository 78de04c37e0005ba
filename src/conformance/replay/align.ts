import type { Step } from './course.ts';

/** A value that lasted less in the recording may be missing. */
const SHORT_MS = 50;

/** How far apart the same step may be in two runs, in seconds. */
export type ToleranceAt = (second: number) => number;

/** A second, or a tenth of the time since the beginning. */
const aSecondOrATenth: ToleranceAt = (second) => Math.max(1, second * 0.1);
/** For runs at different speeds: only the order counts. To go with an `end` that never comes. */
export const anyTime: ToleranceAt = () => Number.POSITIVE_INFINITY;

/** Where two courses of a field part. */
export interface Parting {
  readonly real: Step | undefined;
  readonly ours: Step | undefined;
}

/**
 * Where our steps part from the recorded ones; undefined: they agree.
 *
 * They agree when every recorded value that lasted comes in order and in time, and nothing else does. Steps of the last moments
 * before `end` may be missing on either side, since the other run may have been cut just before them.
 */
export function partingOf(
  real: readonly Step[],
  ours: readonly Step[],
  end: number,
  toleranceAt: ToleranceAt = aSecondOrATenth,
): Parting | undefined {
  const deepest = { depth: -1, parting: undefined as Parting | undefined };
  const failed = new Set<string>();

  function agree(i: number, j: number, held: string | undefined): boolean {
    const key = `${i} ${j} ${held}`;
    if (failed.has(key)) return false;
    if (agreeAnew(i, j, held)) return true;
    failed.add(key);
    if (i + j > deepest.depth) {
      deepest.depth = i + j;
      deepest.parting = { real: real[i], ours: ours[j] };
    }
    return false;
  }

  function agreeAnew(i: number, j: number, held: string | undefined): boolean {
    const left = real[i];
    const right = ours[j];
    if (!left && !right) return true;
    if (left && right && isSame(left, right) && agree(i + 1, j + 1, left.value)) return true;
    if (left && (isSkippable(real, i, held) || isLate(left)) && agree(i + 1, j, held)) return true;
    return right !== undefined && isLate(right) && agree(i, j + 1, held);
  }

  function isSame(left: Step, right: Step): boolean {
    return left.value === right.value && Math.abs(left.at - right.at) <= toleranceAt(left.at);
  }

  /** Within what the other run may have been cut of; never, where there is no end. */
  function isLate(step: Step): boolean {
    return step.at > end - toleranceAt(end);
  }

  return agree(0, 0, undefined) ? undefined : deepest.parting;
}

/** A value that did not last, or the return to the one before it. */
function isSkippable(steps: readonly Step[], index: number, held: string | undefined): boolean {
  const step = steps[index];
  const next = steps[index + 1];
  if (!step) return false;
  return step.value === held || (next !== undefined && Math.round((next.at - step.at) * 1000) < SHORT_MS);
}
