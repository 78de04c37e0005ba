import { playStarts } from '../src/decide/schedule/play.ts';
import { type MoveSchedule, scheduleMoves } from '../src/decide/schedule/schedule.ts';
import { seededRandom } from '../src/simulation/seeded-random.ts';
import { playKubeVirtQueue, type QueuePlay } from './kubevirt-queue.ts';
import type { Bench, Measurement, Report } from './measure.ts';
import { type MvmInstance, mvmInstances } from './mvm-instances.ts';

/** Scheduling the moves of the mVM experiments: ours, the published plans, and what KubeVirt makes of them by default. */
export const bench: Bench = { name: 'mvm', run: async () => measurements(), report: async () => report() };

interface Row {
  readonly name: string;
  readonly makespanSeconds: number;
  readonly meanMoveSeconds: number;
  readonly boundSeconds: number;
  readonly ratio: number;
  readonly slowerThanAlone: number;
  readonly publishedMakespanSeconds: number;
  readonly publishedMeanMoveSeconds: number;
}

interface RowWithDefaults extends Row {
  readonly kubevirtMakespanSeconds: number;
  readonly kubevirtMeanMoveSeconds: number;
  readonly kubevirtCanceledMoves: number;
}

const SEED = 1;

function scheduled({ name, input, published }: MvmInstance): Row {
  const schedule = scheduleMoves(input, seededRandom(SEED).next);
  const played = playStarts(input.wiring, schedule.moves);
  const makespanSeconds = Math.max(...played.map(({ endSeconds }) => endSeconds));
  return {
    name,
    makespanSeconds,
    meanMoveSeconds: mean(played.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds)),
    boundSeconds: schedule.bound.milliseconds / 1000,
    ratio: (makespanSeconds * 1000) / schedule.bound.milliseconds,
    slowerThanAlone: slowerThanAlone(schedule, played),
    publishedMakespanSeconds: published.makespanSeconds,
    publishedMeanMoveSeconds: published.meanMoveSeconds,
  };
}

/** Moves that took longer over the shared network than with it to themselves, by more than a thousandth of a second. */
function slowerThanAlone(schedule: MoveSchedule, played: readonly { endSeconds: number }[]): number {
  const isSlower = ({ endSeconds }: { endSeconds: number }, index: number) =>
    endSeconds > (schedule.moves[index]?.endSeconds ?? 0) + 1e-3;
  return played.filter(isSlower).length + schedule.unschedulable.length;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function withDefaults(instance: MvmInstance, index: number): RowWithDefaults {
  const queue: QueuePlay = playKubeVirtQueue(instance.input, seededRandom(SEED + index).next);
  return {
    ...scheduled(instance),
    kubevirtMakespanSeconds: queue.makespanSeconds,
    kubevirtMeanMoveSeconds: queue.meanMoveSeconds,
    kubevirtCanceledMoves: queue.canceled,
  };
}

function measurements(): Measurement[] {
  const random = mvmInstances('random').map(scheduled);
  const decommission = mvmInstances('decommission').map(scheduled);
  const makespans = (rows: readonly Row[]) => mean(rows.map(({ makespanSeconds }) => makespanSeconds));
  return [
    { name: 'mean makespan of 50 random instances', value: makespans(random), unit: 's' },
    { name: 'makespan of the decommissioning', value: makespans(decommission), unit: 's' },
  ];
}

function report(): Report {
  const random = mvmInstances('random').map(withDefaults);
  const decommission = mvmInstances('decommission').map(withDefaults);
  const instances = [...random, ...decommission];
  const average = (of: (row: RowWithDefaults) => number) => mean(random.map(of));
  const facts = {
    randomMeanMakespanSeconds: average((row) => row.makespanSeconds),
    randomMeanBoundSeconds: average((row) => row.boundSeconds),
    randomMeanPublishedMakespanSeconds: average((row) => row.publishedMakespanSeconds),
    randomMeanKubevirtMakespanSeconds: average((row) => row.kubevirtMakespanSeconds),
    decommissionMakespanSeconds: decommission[0]?.makespanSeconds,
    movesSlowerThanAlone: instances.reduce((sum, { slowerThanAlone: slower }) => sum + slower, 0),
    instances,
  };
  return { facts, text: textOf(random, decommission, facts.movesSlowerThanAlone) };
}

const COLUMNS = [
  'instance',
  'makespan',
  'bound',
  'ratio',
  'published',
  'move',
  'KubeVirt',
  'move',
  'canceled',
];

function textOf(
  random: readonly RowWithDefaults[],
  decommission: readonly RowWithDefaults[],
  slower: number,
): string {
  const lines = [...random.map(cells), meanCells(random), ...decommission.map(cells)];
  const line = ([name = '', ...numbers]: readonly string[]) =>
    name.padEnd(18) + numbers.map((number) => number.padStart(10)).join('');
  return [...[COLUMNS, ...lines].map(line), '', `seconds; moves slower than alone: ${slower}`].join('\n');
}

function cells(row: RowWithDefaults): string[] {
  const numbers = [row.makespanSeconds, row.boundSeconds].map((number) => number.toFixed(1));
  const others = [row.publishedMakespanSeconds, row.meanMoveSeconds, row.kubevirtMakespanSeconds];
  return [
    row.name,
    ...numbers,
    row.ratio.toFixed(3),
    ...others.map((number) => number.toFixed(1)),
    row.kubevirtMeanMoveSeconds.toFixed(1),
    row.kubevirtCanceledMoves.toFixed(0),
  ];
}

/** The means of a column; the ratio is that of the means. */
function meanCells(rows: readonly RowWithDefaults[]): string[] {
  const of = (pick: (row: RowWithDefaults) => number) => mean(rows.map(pick));
  const [makespanSeconds, boundSeconds] = [of((row) => row.makespanSeconds), of((row) => row.boundSeconds)];
  return cells({
    name: `mean of ${rows.length}`,
    makespanSeconds,
    boundSeconds,
    ratio: makespanSeconds / boundSeconds,
    meanMoveSeconds: of((row) => row.meanMoveSeconds),
    slowerThanAlone: 0,
    publishedMakespanSeconds: of((row) => row.publishedMakespanSeconds),
    publishedMeanMoveSeconds: of((row) => row.publishedMeanMoveSeconds),
    kubevirtMakespanSeconds: of((row) => row.kubevirtMakespanSeconds),
    kubevirtMeanMoveSeconds: of((row) => row.kubevirtMeanMoveSeconds),
    kubevirtCanceledMoves: of((row) => row.kubevirtCanceledMoves),
  });
}
