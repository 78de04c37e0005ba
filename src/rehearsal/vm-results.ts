import { OUTCOMES, type Outcome } from '../forecast/forecast.ts';
import { tally } from '../kubevirt/group-by.ts';
import { compareText } from '../kubevirt/order.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { VmEnding } from './rehearsal.ts';
import type { MoveResult, OutageResult, VmResult, WaitResult } from './result.ts';
import { downtimeSeconds, type Move, type Outage, type Wait } from './story.ts';

/** What became of every VM, as plain values, in the order of the endings. */
export function vmResults(
  endings: ReadonlyMap<string, VmEnding>,
  startAt: Instant,
  now: Instant,
): VmResult[] {
  const second = (at: Instant) => (at - startAt) / 1000;
  return [...endings.values()].map((ending) => vmResult(ending, second, now));
}

function vmResult(
  { story, result, reason }: VmEnding,
  second: (at: Instant) => number,
  now: Instant,
): VmResult {
  const moves = story.moves.map((move) => moveResult(move, second));
  const outages = story.outages.map((outage) => outageResult(outage, second));
  const starts = [
    ...moves.map(({ startSeconds }) => startSeconds),
    ...outages.map(({ downSeconds }) => downSeconds),
  ];
  const ends = [
    ...moves.map(({ endSeconds }) => endSeconds),
    ...outages.map(
      ({ downSeconds, upSeconds }) => upSeconds ?? (result === 'Restarts' ? undefined : downSeconds),
    ),
  ];
  return {
    name: story.vm,
    outcome: result,
    reason,
    fromNode: story.startNode,
    toNode: story.node,
    startSeconds: starts.length === 0 ? undefined : Math.min(...starts),
    endSeconds: lastOf(ends),
    waits: story.waits.map((wait) => waitResult(wait, second)),
    ...{ moves, outages, restarts: story.outages.filter(({ upAt }) => upAt !== undefined).length },
    downtimeSeconds: downtimeSeconds(story, now),
    migrations: story.attempts,
    failedMigrations: story.failures,
    refusals: [...story.refusals]
      .map(([says, times]) => ({ says, times }))
      .sort((a, b) => b.times - a.times || compareText(a.says, b.says)),
  };
}

/** Undefined where there is none, or one is still to come. */
function lastOf(ends: readonly (number | undefined)[]): number | undefined {
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 || known.length < ends.length ? undefined : Math.max(...known);
}

function moveResult(
  { from, to, startAt, endAt, failed, stoppedAt }: Move,
  second: (at: Instant) => number,
): MoveResult {
  return {
    from,
    to,
    startSeconds: second(startAt),
    failed,
    endSeconds: endAt === undefined ? undefined : second(endAt),
    ...(stoppedAt !== undefined && { stoppedSeconds: second(stoppedAt) }),
  };
}

function waitResult({ fromAt, untilAt }: Wait, second: (at: Instant) => number): WaitResult {
  return { fromSeconds: second(fromAt), untilSeconds: untilAt === undefined ? undefined : second(untilAt) };
}

function outageResult({ downAt, upAt, how }: Outage, second: (at: Instant) => number): OutageResult {
  return { downSeconds: second(downAt), upSeconds: upAt === undefined ? undefined : second(upAt), how };
}

/** How many VMs of each outcome there are, worst first; none of those that do not occur. */
export function countsOf(vms: readonly { readonly outcome: Outcome }[]): Partial<Record<Outcome, number>> {
  const counts = tally(vms.map(({ outcome }) => outcome));
  return Object.fromEntries(
    OUTCOMES.filter((outcome) => counts.has(outcome)).map((outcome) => [outcome, counts.get(outcome)]),
  );
}
