import type { PlayedMove } from '../src/decide/schedule/play.ts';
import { playStarts } from '../src/decide/schedule/play.ts';
import { type MoveSchedule, scheduleMoves } from '../src/decide/schedule/schedule.ts';
import { seededRandom } from '../src/simulation/seeded-random.ts';
import { playKubeVirtQueue } from './kubevirt-queue.ts';
import { asPublished, type MvmInstance } from './mvm-instances.ts';

const SEED = 1;

/** What our schedule of one instance comes to when it is played over the network that shares. */
export interface Row {
  readonly name: string;
  readonly makespanSeconds: number;
  readonly meanMoveSeconds: number;
  readonly boundSeconds: number;
  readonly ratio: number;
  readonly slowerThanAlone: number;
  readonly publishedMakespanSeconds: number;
  readonly publishedMeanMoveSeconds: number;
}

/** Beside that, what does not come from our schedule of our moves. */
export interface FullRow extends Row {
  /** Our schedule of moves that take exactly as long as the published ones. */
  readonly publishedMovesMakespanSeconds: number;
  readonly kubevirtMakespanSeconds: number;
  readonly kubevirtMeanMoveSeconds: number;
  readonly kubevirtCanceledMoves: number;
  /** KubeVirt's queue of the moves that take as long as the published ones, of guests that write to nothing. */
  readonly kubevirtPublishedMovesMakespanSeconds: number;
  readonly kubevirtPublishedMovesMeanMoveSeconds: number;
}

export function rowOf({ name, input, published }: MvmInstance): Row {
  const schedule = scheduleMoves(input, seededRandom(SEED).next);
  const played = playStarts(input.wiring, schedule.moves);
  const makespanSeconds = Math.max(...played.map(({ endSeconds }) => endSeconds));
  const boundSeconds = schedule.bound.milliseconds / 1000;
  return {
    name,
    makespanSeconds,
    meanMoveSeconds: mean(played.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds)),
    boundSeconds,
    ratio: makespanSeconds / boundSeconds,
    slowerThanAlone: slowerThanAlone(schedule, played),
    publishedMakespanSeconds: published.makespanSeconds,
    publishedMeanMoveSeconds: published.meanMoveSeconds,
  };
}

/** Moves that took longer over the shared network than with it to themselves, by more than a thousandth of a second, or never ended. */
function slowerThanAlone({ moves, unschedulable }: MoveSchedule, played: readonly PlayedMove[]): number {
  const isSlower = ({ endSeconds }: PlayedMove, index: number) =>
    endSeconds > (moves[index]?.endSeconds ?? 0) + 1e-3;
  return played.filter(isSlower).length + unschedulable.length;
}

/** `index` picks the order of KubeVirt's queue. */
export function fullRowOf(instance: MvmInstance, index: number): FullRow {
  const idle = asPublished(instance);
  const queue = playKubeVirtQueue(instance.input, seededRandom(SEED + index).next);
  const idleQueue = playKubeVirtQueue(idle, seededRandom(SEED + index).next);
  return {
    ...rowOf(instance),
    publishedMovesMakespanSeconds: scheduleMoves(idle, seededRandom(SEED).next).makespanSeconds,
    kubevirtMakespanSeconds: queue.makespanSeconds,
    kubevirtMeanMoveSeconds: queue.meanMoveSeconds,
    kubevirtCanceledMoves: queue.canceled,
    kubevirtPublishedMovesMakespanSeconds: idleQueue.makespanSeconds,
    kubevirtPublishedMovesMeanMoveSeconds: idleQueue.meanMoveSeconds,
  };
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
