import type { Step } from './course.ts';

/** A value that lasted less in the recording may be missing. */
const SHORT_MS = 50;

/** How far apart the same step may be in two runs: a second, or a tenth of the time since the beginning. */
function toleranceAt(at: number): number {
  return Math.max(1, at * 0.1);
}

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
export function partingOf(real: readonly Step[], ours: readonly Step[], end: number): Parting | undefined {
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
    if (left && right && isSameStep(left, right) && agree(i + 1, j + 1, left.value)) return true;
    if (left && (isSkippable(real, i, held) || isLate(left, end)) && agree(i + 1, j, held)) return true;
    return right !== undefined && isLate(right, end) && agree(i, j + 1, held);
  }

  return agree(0, 0, undefined) ? undefined : deepest.parting;
}

function isSameStep(real: Step, ours: Step): boolean {
  return real.value === ours.value && Math.abs(real.at - ours.at) <= toleranceAt(real.at);
}

/** A value that did not last, or the return to the one before it. */
function isSkippable(steps: readonly Step[], index: number, held: string | undefined): boolean {
  const step = steps[index];
  const next = steps[index + 1];
  if (!step) return false;
  return step.value === held || (next !== undefined && Math.round((next.at - step.at) * 1000) < SHORT_MS);
}

function isLate(step: Step, end: number): boolean {
  return step.at > end - toleranceAt(end);
}
