/**
 * Which moves start when, so that all are over soon and none is slower than it would be alone: each has all the bandwidth
 * that it could use set aside from its start to its end. Targets are given; they are not chosen here.
 */
import { decide, type Evidence } from '../rules.ts';
import { type LowerBound, lowerBound } from './bound.ts';
import { explain, type ScheduledMove } from './explain.ts';
import { type Move, type MovesToSchedule, type SoloMove, soloMoves } from './moves.ts';
import { neverTable } from './reasons.ts';
import { type Resource, ROUNDING, type Tasks, tasksOf } from './resources.ts';
import { type Effort, searchPlacing, usualPlacings } from './search.ts';

/** A move that no order helps. */
export interface UnschedulableMove {
  readonly move: Move;
  readonly reason: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

export interface MoveSchedule {
  /** By start, then in the given order. Those under way are not among them. */
  readonly moves: readonly ScheduledMove[];
  readonly unschedulable: readonly UnschedulableMove[];
  /** When all are over, those under way too. */
  readonly makespanSeconds: number;
  /** No schedule of these moves is shorter, unless some are slower than alone, or more are under way than the widths let. */
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
  const all = [...(input.running ?? []), ...able];
  const moves = explain(tasks, all, placing);
  const ends = all.map(({ seconds }, index) => (placing.starts[index] ?? 0) / 1000 + seconds);
  const makespanSeconds = ends.reduce((latest, end) => Math.max(latest, end), 0);
  return { moves, unschedulable, makespanSeconds, bound: lowerBound(exact(tasks, all)) };
}

/** The tasks as long as the moves take, without what is set aside beyond that. */
function exact(tasks: Tasks, moves: readonly SoloMove[]): Tasks {
  const lengthOf = (index: number) => (moves[index]?.seconds ?? 0) * 1000;
  const exactly = tasks.tasks.map((task, index) => ({ ...task, milliseconds: lengthOf(index) }));
  return { ...tasks, tasks: exactly };
}

function sorted(input: MovesToSchedule) {
  const able: SoloMove[] = [];
  const unschedulable: UnschedulableMove[] = [];
  for (const solo of soloMoves(input)) {
    const lacking = lackingResource(tasksOf({ ...input, running: [] }, [solo]));
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
