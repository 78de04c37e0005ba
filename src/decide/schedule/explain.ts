/** Why each move of a schedule starts when it does. */
import { decide, type Evidence } from '../rules.ts';
import { busyTimes } from './bound.ts';
import type { Move, SoloMove } from './moves.ts';
import { hold, type Placing } from './placing.ts';
import { emptyProfile, type Profile, takenAt } from './profile.ts';
import { type Obstacle, startTable } from './reasons.ts';
import { ROUNDING, type Task, type Tasks } from './resources.ts';

/** A move with its start and, if the guest behaves as said, its end, in seconds from now, when the first start. */
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

/** The moves that have not started yet, by start, each with the reason for it. `moves` are all, in the order of the tasks. */
export function explain(tasks: Tasks, moves: readonly SoloMove[], { starts }: Placing): ScheduledMove[] {
  const placed: Placed = {
    tasks,
    starts,
    profiles: filledProfiles(tasks, starts),
    busy: busyTimes(tasks),
  };
  const scheduled = (solo: SoloMove, index: number): ScheduledMove => {
    const start = starts[index] ?? 0;
    const found = busiestObstacle(placed, index);
    const obstacle = found === undefined ? undefined : obstacleOf(placed, moves, found, start);
    const startSeconds = start / 1000;
    const { result, reason, evidence } = decide(startTable, { solo, startSeconds, obstacle });
    const endSeconds = startSeconds + solo.seconds;
    return { move: solo.move, startSeconds, endSeconds, mbps: solo.mbps, reason, message: result, evidence };
  };
  const waiting = moves.map(scheduled).slice(tasks.started);
  return waiting.sort((a, b) => a.startSeconds - b.startSeconds);
}

interface Placed {
  readonly tasks: Tasks;
  /** Milliseconds from the first start, of each task. */
  readonly starts: readonly number[];
  /** How full each resource is, and for how long it is busy. */
  readonly profiles: readonly Profile[];
  readonly busy: readonly number[];
}

function filledProfiles({ resources, tasks }: Tasks, starts: readonly number[]): Profile[] {
  const profiles = resources.map(emptyProfile);
  tasks.forEach((task, index) => {
    hold(task, profiles, starts[index] ?? 0);
  });
  return profiles;
}

/** Just before its start, the move would not have fitted in: where? Of several places, the one that is busy the longest. */
function busiestObstacle(
  { tasks: { resources, tasks }, starts, profiles, busy }: Placed,
  index: number,
): number | undefined {
  const start = starts[index] ?? 0;
  if (start === 0) return undefined;
  const isTooFull = ({ resource, amount }: Task['claims'][number]): boolean => {
    const profile = profiles[resource];
    const taken = profile ? takenAt(profile, start - 1) : 0;
    return taken + amount > (resources[resource]?.capacity ?? 0) + ROUNDING;
  };
  const full = (tasks[index]?.claims ?? []).filter(isTooFull).map(({ resource }) => resource);
  return full.sort((a, b) => (busy[b] ?? 0) - (busy[a] ?? 0))[0];
}

/** The resource that was found too full, and the moves that leave it as this one starts. */
function obstacleOf(
  { tasks: { resources, tasks }, starts }: Placed,
  moves: readonly SoloMove[],
  found: number,
  start: number,
): Obstacle | undefined {
  const resource = resources[found];
  const leaves = (task: Task | undefined, index: number): boolean =>
    (starts[index] ?? 0) + (task?.milliseconds ?? 0) === start &&
    (task?.claims.some((claim) => claim.resource === found) ?? false);
  const behind = moves.filter((_, index) => leaves(tasks[index], index)).map(({ move }) => move.vm);
  return resource && { resource, behind };
}
