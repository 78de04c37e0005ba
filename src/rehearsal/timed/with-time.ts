import type { Behavior } from '../../decide/rules.ts';
import { resolveSettings } from '../../decide/settings.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Forecast, ForecastTime, Outcome, VmVerdict, WhatIf } from '../../forecast/forecast.ts';
import type { Setting } from '../../forecast/questions.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { OnCourse } from '../how-far.ts';
import { summarize, type VmSummary } from '../summary.ts';
import { bottleneckOf } from './bottleneck.ts';
import { assumptions, timeNotes, unknownNote, untimedNote } from './notes.ts';
import { behaviorAtPace, paceOf } from './pace.ts';
import { type Course, type CourseOptions, playAction, type TimedAction } from './play-action.ts';
import { answerInTime, inTime, timeLimitOf, timeUpOf } from './time-limit.ts';
import { DONE, longestTurn, rounded, totalOf, turnTimes } from './totals.ts';

export interface TimeOptions {
  readonly takenAt: Instant;
  readonly behavior: Behavior;
  /** Simulated courses, at least one; they differ in what chance decides. */
  readonly runs: number;
  /** Settings of the KubeVirt CR to try besides, all at once. */
  readonly whatIf: readonly Setting[];
  /** When a node that is drained goes down, whatever is on it. */
  readonly deadlineSeconds?: number | undefined;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Within a course; see `RunOptions`. */
  readonly onCourse?: OnCourse | undefined;
}

/**
 * The forecast with times, from simulated courses of the same action on the same cluster.
 *
 * Promise: outcomes stay as they are, but for VMs of a drain that have not left in its time. The same input gives the same times.
 */
export async function withTime(
  forecast: Forecast,
  fleet: Fleet,
  timed: TimedAction,
  options: TimeOptions,
): Promise<Forecast> {
  const pace = paceOf(fleet);
  const play = playerOf(fleet, timed, {
    ...options,
    told: forecast.status.vms,
    behaviorOf: behaviorAtPace(pace),
  });
  const courses = await play([]);
  const { whatIf: changes, runs, deadlineSeconds } = options;
  const whatIf = changes.length > 0 ? [whatIfOf(changes, courses, await play(changes))] : [];
  const byName = new Map(summarize(courses).vms.map((vm) => [vm.name, vm]));
  const limit = timeLimitOf(timed, deadlineSeconds, courses);
  const playedAs = (vm: VmVerdict) => byName.get(keyOfVm(vm));
  const vms = forecast.status.vms
    .map((vm) => withTimes(vm, playedAs(vm)))
    .map((vm) => (limit ? inTime(vm, playedAs(vm)?.outcome, limit) : vm));
  const counts = recounted(forecast, vms);
  const timeUp = timeUpOf(vms, limit);
  const time: ForecastTime = { runs, ...timeOf(courses, fleet, timed), timeUp, whatIf };
  const { Unknown: unknown } = forecast.status.counts;
  const told =
    unknown === 0
      ? [
          ...timeNotes(time, counts.Cut > forecast.status.counts.Cut),
          ...untimedNote(vms, byName, forecast.status.round?.movedByRollout ?? 0),
        ]
      : [unknownNote(unknown)];
  return {
    ...forecast,
    status: {
      ...forecast.status,
      ...(limit && { summary: answerInTime(vms, forecast, counts, limit, timeUp) }),
      ...{ vms, counts },
      notes: [...forecast.status.notes, ...told, ...assumptions(pace, timed)],
      ...(unknown === 0 && { time }),
    },
  };
}

/** Plays all courses with some settings, one after another; courses are told over all that are to be played. */
function playerOf(
  fleet: Fleet,
  timed: TimedAction,
  { runs, whatIf, onProgress, ...options }: TimeOptions & Pick<CourseOptions, 'behaviorOf' | 'told'>,
): (changes: readonly Setting[]) => Promise<Course[]> {
  const all = runs * (whatIf.length > 0 ? 2 : 1);
  let done = 0;
  return async (changes) => {
    const courses: Course[] = [];
    for (let seed = 1; seed <= runs; seed++) {
      courses.push(await playAction(fleet, timed, { ...options, changes, seed }));
      onProgress?.(++done, all);
    }
    return courses;
  };
}

/** How long it takes, and what holds it up: of a round the longest turn, since one waits for another. */
function timeOf(
  courses: readonly Course[],
  fleet: Fleet,
  { action }: TimedAction,
): Pick<ForecastTime, 'total' | 'bottleneck' | 'turns'> {
  const total = totalOf(courses);
  if (action === 'round') {
    const turns = turnTimes(courses);
    return { total, turns, bottleneck: longestTurn(turns) };
  }
  const [first] = courses;
  const settings = resolveSettings(fleet.kubevirt());
  return { total, bottleneck: first && bottleneckOf(first.rivals, settings, action !== 'drain') };
}

function withTimes(vm: VmVerdict, summary: VmSummary | undefined): VmVerdict {
  if (summary?.startSeconds === undefined || !isAsTold(vm.outcome, summary.outcome)) return vm;
  return {
    ...vm,
    start: rounded(summary.startSeconds),
    end: summary.endSeconds && rounded(summary.endSeconds),
    // One that stays off is down for good, one that waits for a node for as long as it waits.
    downtimeSeconds:
      summary.outcome === 'StaysOff' || summary.endSeconds === undefined
        ? undefined
        : rounded(summary.downtimeSeconds),
  };
}

/** What was played is what the verdict says; times of anything else would be those of another story. */
function isAsTold(told: Outcome, played: Outcome): boolean {
  if (told === 'MayStayOff') return played === 'Restarts' || played === 'StaysOff';
  return told === played;
}

/** How it goes with other settings. */
function whatIfOf(changes: readonly Setting[], asIs: readonly Course[], then: readonly Course[]): WhatIf {
  const done = new Set(doneIn(then));
  return {
    settings: changes.map(({ path, value }) => `${path}=${value}`).join(', '),
    total: totalOf(then),
    leftBehind: doneIn(asIs).filter((name) => !done.has(name)).length,
  };
}

function doneIn(courses: readonly Course[]): string[] {
  return summarize(courses).vms.flatMap(({ name, outcome }) => (DONE.has(outcome) ? name : []));
}

function recounted({ status }: Forecast, vms: readonly VmVerdict[]): Forecast['status']['counts'] {
  const counts = Object.fromEntries(Object.keys(status.counts).map((outcome) => [outcome, 0])) as Record<
    VmVerdict['outcome'],
    number
  >;
  for (const { outcome } of vms) counts[outcome]++;
  return counts;
}
