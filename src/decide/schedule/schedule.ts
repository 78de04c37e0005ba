/**
 * Which moves start when, so that all are over soon and none is slower than it would be alone: each has all the bandwidth
 * that it could use set aside from its start to its end. Targets are given; they are not chosen here.
 */
import { decide, type Evidence } from '../rules.ts';
import { busyTimes, type LowerBound, lowerBound } from './bound.ts';
import { type Move, type MovesToSchedule, type SoloMove, soloMoves } from './moves.ts';
import type { Placing } from './placing.ts';
import { emptyProfile, type Profile, take, takenAt } from './profile.ts';
import { neverTable, type Obstacle, startTable } from './reasons.ts';
import { type Resource, ROUNDING, type Task, type Tasks, tasksOf } from './resources.ts';
import { type Effort, searchPlacing, usualPlacings } from './search.ts';

/** A move with its start and, if the guest behaves as said, its end, in seconds from the start of the first. */
export interface ScheduledMove {
  readonly move: Move;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** The bandwidth set aside. */
  readonly mbps: number;
  readonly reason: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/** A move that no order helps. */
export interface UnschedulableMove {
  readonly move: Move;
  readonly reason: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

export interface MoveSchedule {
  /** By start, then in the given order. */
  readonly moves: readonly ScheduledMove[];
  readonly unschedulable: readonly UnschedulableMove[];
  readonly makespanSeconds: number;
  /** Of the moves that are scheduled: no schedule without slower moves is shorter. */
  readonly bound: LowerBound;
}

/**
 * A short schedule of the moves.
 *
 * Promise: no link and no width is ever over its capacity; no move could start earlier with the others as they are; the
 * same input and draws give the same schedule. It is short, not proven shortest: compare with `bound`. Without `placings`
 * the search takes about a second for a hundred moves or more, less for few.
 */
export function scheduleMoves(
  input: MovesToSchedule,
  draw: Effort['draw'],
  placings: number = usualPlacings(input.moves.length),
): MoveSchedule {
  const { able, unschedulable } = sorted(input);
  const tasks = tasksOf(input, able);
  const target = Math.ceil(lowerBound(tasks).milliseconds - ROUNDING);
  const placing = searchPlacing(tasks, target, { placings, draw });
  const moves = explained(tasks, able, placing);
  const makespanSeconds = moves.reduce((latest, { endSeconds }) => Math.max(latest, endSeconds), 0);
  return { moves, unschedulable, makespanSeconds, bound: lowerBound(exact(tasks, able)) };
}

/** The tasks as long as the moves take, without what is set aside beyond that. */
function exact({ resources, tasks }: Tasks, able: readonly SoloMove[]): Tasks {
  const lengthOf = (index: number) => (able[index]?.seconds ?? 0) * 1000;
  return { resources, tasks: tasks.map((task, index) => ({ ...task, milliseconds: lengthOf(index) })) };
}

function sorted(input: MovesToSchedule) {
  const able: SoloMove[] = [];
  const unschedulable: UnschedulableMove[] = [];
  for (const solo of soloMoves(input)) {
    const lacking = lackingResource(tasksOf(input, [solo]));
    const { result, reason, evidence } = decide(neverTable, { solo, lacking });
    if (result === undefined) able.push(solo);
    else unschedulable.push({ move: solo.move, reason, message: result, evidence });
  }
  return { able, unschedulable };
}

function lackingResource({ resources, tasks }: Tasks): Resource | undefined {
  const lacking = tasks[0]?.claims.find(
    ({ resource, amount }) => amount > (resources[resource]?.capacity ?? 0) + ROUNDING,
  );
  return lacking && resources[lacking.resource];
}

function explained(tasks: Tasks, able: readonly SoloMove[], { starts }: Placing): ScheduledMove[] {
  const profiles = filledProfiles(tasks, starts);
  const busy = busyTimes(tasks);
  const explain = (solo: SoloMove, index: number): ScheduledMove => {
    const start = starts[index] ?? 0;
    const found = busiestObstacle(tasks, profiles, busy, index, start);
    const obstacle = found === undefined ? undefined : obstacleOf(tasks, able, starts, found, start);
    const startSeconds = start / 1000;
    const { result, reason, evidence } = decide(startTable, { solo, startSeconds, obstacle });
    const endSeconds = startSeconds + solo.seconds;
    return { move: solo.move, startSeconds, endSeconds, mbps: solo.mbps, reason, message: result, evidence };
  };
  return able.map(explain).sort((a, b) => a.startSeconds - b.startSeconds);
}

function filledProfiles({ resources, tasks }: Tasks, starts: readonly number[]): Profile[] {
  const profiles = resources.map(emptyProfile);
  tasks.forEach(({ milliseconds, claims }, index) => {
    const start = starts[index] ?? 0;
    for (const { resource, amount } of claims) {
      const profile = profiles[resource];
      if (profile) take(profile, start, start + milliseconds, amount);
    }
  });
  return profiles;
}

/** Just before its start, the move would not have fitted in: where? Of several places, the one that is busy the longest. */
function busiestObstacle(
  { resources, tasks }: Tasks,
  profiles: readonly Profile[],
  busy: readonly number[],
  index: number,
  start: number,
): number | undefined {
  if (start === 0) return undefined;
  const isTooFull = ({ resource, amount }: Task['claims'][number]): boolean => {
    const profile = profiles[resource];
    const taken = profile ? takenAt(profile, start - 1) : 0;
    return taken + amount > (resources[resource]?.capacity ?? 0) + ROUNDING;
  };
  const full = (tasks[index]?.claims ?? []).filter(isTooFull).map(({ resource }) => resource);
  return full.sort((a, b) => (busy[b] ?? 0) - (busy[a] ?? 0) || a - b)[0];
}

function obstacleOf(
  { resources, tasks }: Tasks,
  able: readonly SoloMove[],
  starts: readonly number[],
  found: number,
  start: number,
): Obstacle | undefined {
  const resource = resources[found];
  const leaves = (task: Task | undefined, index: number): boolean =>
    (starts[index] ?? 0) + (task?.milliseconds ?? 0) === start &&
    (task?.claims.some((claim) => claim.resource === found) ?? false);
  const behind = able.filter((_, index) => leaves(tasks[index], index)).map(({ move }) => move.vm);
  return resource && { resource, behind };
}
