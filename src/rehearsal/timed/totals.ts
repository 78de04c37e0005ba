import type { Bottleneck, Outcome, TimeRange, TurnTime } from '../../forecast/forecast.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { spreadOf } from '../summary.ts';
import type { Course } from './play-action.ts';

/** How a VM ends that something has become of; any other is tried again, or left, for as long as it is played. */
export const DONE: ReadonlySet<Outcome> = new Set(['LiveMigrates', 'Restarts', 'StaysOff', 'Cut']);

/** When the last VM is done with, or the last node of a round is back, over all courses. */
export function totalOf(courses: readonly Course[]): TimeRange {
  return rounded(spreadOf(courses.map(endOf)));
}

function endOf({ vms, turns }: Course): number {
  const last = turns.at(-1);
  if (last) return last.endSeconds;
  return Math.max(
    0,
    ...vms.map(({ outcome, startSeconds = 0, endSeconds = startSeconds }) =>
      DONE.has(outcome) ? endSeconds : 0,
    ),
  );
}

/** The turns of a round, in their order; the order is the same in all courses. */
export function turnTimes(courses: readonly Course[]): TurnTime[] {
  const [first] = courses;
  return (first?.turns ?? []).map(({ node }) => {
    const turns = courses.flatMap(({ turns: all }) => all.find((turn) => turn.node === node) ?? []);
    return {
      node,
      start: rounded(spreadOf(turns.map(({ startSeconds }) => startSeconds))),
      end: rounded(spreadOf(turns.map(({ endSeconds }) => endSeconds))),
      seconds: rounded(spreadOf(turns.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds))),
      givenUp: turns.filter(({ isGivenUp }) => isGivenUp).length,
    };
  });
}

/** Of equals the first; undefined where there is no turn. */
export function longestTurn(turns: readonly TurnTime[]): Bottleneck | undefined {
  const longest = turns.reduce<TurnTime | undefined>(
    (held, turn) => (held && held.seconds.p50 >= turn.seconds.p50 ? held : turn),
    undefined,
  );
  if (!longest) return undefined;
  const seconds = longest.seconds.p50;
  return {
    reason: 'LongestTurn',
    seconds,
    message: `the turn of ${longest.node}: ${formatDuration(seconds)}`,
  };
}

/** In whole seconds. */
export function rounded({ p50, p90 }: TimeRange): TimeRange {
  return { p50: Math.round(p50), p90: Math.round(p90) };
}
