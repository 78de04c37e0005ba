import type { Bench, Measurement, Report } from './measure.ts';
import { mvmInstances } from './mvm-instances.ts';
import { type FullRow, fullRowOf, mean, type Row, rowOf } from './mvm-rows.ts';

/** Scheduling the moves of the mVM experiments: ours, the published plans, and what KubeVirt makes of them by default. */
export const bench: Bench = { name: 'mvm', run: async () => measurements(), report: async () => report() };

function measurements(): Measurement[] {
  const makespan = (rows: readonly Row[]) => mean(rows.map(({ makespanSeconds }) => makespanSeconds));
  const [random, decommission] = [mvmInstances('random'), mvmInstances('decommission')];
  return [
    { name: 'mean makespan of 50 random instances', value: makespan(random.map(rowOf)), unit: 's' },
    { name: 'makespan of the decommissioning', value: makespan(decommission.map(rowOf)), unit: 's' },
  ];
}

function report(): Report {
  const random = mvmInstances('random').map(fullRowOf);
  const decommission = mvmInstances('decommission').map(fullRowOf);
  const instances = [...random, ...decommission];
  const average = averageOf('mean of random', random);
  const movesSlowerThanAlone = instances.reduce((sum, { slowerThanAlone }) => sum + slowerThanAlone, 0);
  const facts = {
    randomMeanMakespanSeconds: average.makespanSeconds,
    randomMeanBoundSeconds: average.boundSeconds,
    randomMeanPublishedMakespanSeconds: average.publishedMakespanSeconds,
    randomMeanPublishedMovesMakespanSeconds: average.publishedMovesMakespanSeconds,
    randomMeanKubevirtMakespanSeconds: average.kubevirtMakespanSeconds,
    randomMeanKubevirtMoveSeconds: average.kubevirtMeanMoveSeconds,
    randomMeanKubevirtPublishedMovesMakespanSeconds: average.kubevirtPublishedMovesMakespanSeconds,
    randomMeanKubevirtPublishedMovesMeanMoveSeconds: average.kubevirtPublishedMovesMeanMoveSeconds,
    decommissionMakespanSeconds: decommission[0]?.makespanSeconds,
    movesSlowerThanAlone,
    instances,
  };
  return { facts, text: textOf([...random, average, ...decommission], movesSlowerThanAlone) };
}

/** The mean of each number; the ratio is that of the means. */
function averageOf(name: string, rows: readonly FullRow[]): FullRow {
  const of = (pick: (row: FullRow) => number) => mean(rows.map(pick));
  const [makespanSeconds, boundSeconds] = [of((row) => row.makespanSeconds), of((row) => row.boundSeconds)];
  return {
    name,
    makespanSeconds,
    boundSeconds,
    ratio: makespanSeconds / boundSeconds,
    meanMoveSeconds: of((row) => row.meanMoveSeconds),
    slowerThanAlone: of((row) => row.slowerThanAlone),
    publishedMakespanSeconds: of((row) => row.publishedMakespanSeconds),
    publishedMeanMoveSeconds: of((row) => row.publishedMeanMoveSeconds),
    publishedMovesMakespanSeconds: of((row) => row.publishedMovesMakespanSeconds),
    kubevirtMakespanSeconds: of((row) => row.kubevirtMakespanSeconds),
    kubevirtMeanMoveSeconds: of((row) => row.kubevirtMeanMoveSeconds),
    kubevirtCanceledMoves: of((row) => row.kubevirtCanceledMoves),
    kubevirtPublishedMovesMakespanSeconds: of((row) => row.kubevirtPublishedMovesMakespanSeconds),
    kubevirtPublishedMovesMeanMoveSeconds: of((row) => row.kubevirtPublishedMovesMeanMoveSeconds),
  };
}

/** Heading, decimals, number. */
const COLUMNS: readonly (readonly [string, number, (row: FullRow) => number])[] = [
  ['makespan', 1, (row) => row.makespanSeconds],
  ['bound', 1, (row) => row.boundSeconds],
  ['ratio', 3, (row) => row.ratio],
  ['move', 1, (row) => row.meanMoveSeconds],
  ['published', 1, (row) => row.publishedMakespanSeconds],
  ['our order', 1, (row) => row.publishedMovesMakespanSeconds],
  ['move', 1, (row) => row.publishedMeanMoveSeconds],
  ['KubeVirt', 1, (row) => row.kubevirtMakespanSeconds],
  ['move', 1, (row) => row.kubevirtMeanMoveSeconds],
  ['canceled', 0, (row) => row.kubevirtCanceledMoves],
  ['idle', 1, (row) => row.kubevirtPublishedMovesMakespanSeconds],
  ['move', 1, (row) => row.kubevirtPublishedMovesMeanMoveSeconds],
];

function textOf(rows: readonly FullRow[], slower: number): string {
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join('');
  const heading = COLUMNS.map(([title]) => title);
  const numbers = (row: FullRow) => COLUMNS.map(([, decimals, of]) => of(row).toFixed(decimals));
  return [
    line('seconds', heading),
    ...rows.map((row) => line(row.name, numbers(row))),
    '',
    `moves slower than alone: ${slower}`,
    'our order: our schedule of moves that take exactly as long as the published ones',
    'KubeVirt: five at once, two from a node, in random order; copies that do not converge are canceled and tried again',
    'idle: KubeVirt with guests that write to nothing, each move alone as long as the published one',
  ].join('\n');
}
