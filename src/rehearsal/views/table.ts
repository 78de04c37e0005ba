import type { Outcome } from '../../forecast/forecast.ts';
import { type Column, tableLines } from '../../forecast/views/columns.ts';
import { markOfOutcome } from '../../forecast/views/mark.ts';
import { type Mark, type Paint, paintFor } from '../../forecast/views/paint.ts';
import { isCalm, severityRank } from '../../forecast/views/severity.ts';
import { columnsOf, padEnd, paragraphs, printable, wrap } from '../../forecast/views/text.ts';
import { counted } from '../../kubevirt/words.ts';
import type { SimulationReport } from '../report.ts';
import type { DeedResult, NodePeaks } from '../result.ts';
import type { VmSummary } from '../summary.ts';
import { downText, failuresToTell, spreadText, timeText, whyOf } from './words.ts';

export interface SimulationViewOptions {
  readonly width: number;
  readonly colour: boolean;
}

/** A list up to this long is shown whole; of a longer one so many VMs of each outcome that interrupts nothing. */
const SHOW_ALL_UP_TO = 30;
const CALM_SHOWN = 3;
const MOST_NODES = 12;

/** The answer, what was done, the numbers, the VMs, worst first, and the nodes. Times in brackets are those of the slowest tenth of the runs. */
export function simulationTable(report: SimulationReport, options: SimulationViewOptions): string {
  const paint = paintFor(options.colour);
  const { shown, more } = pick(worstFirst(report.status.vms));
  return paragraphs([
    simulationAnswer(report, options, paint),
    failureLines(report, options, paint),
    deedLines(report.status.firstRun.deeds, options, paint),
    countLines(report, paint),
    [...vmLines(shown, options, paint), ...more.map(paint.dim)],
    nodeLines(report, paint),
  ]);
}

/** What was played, and what came of it in a sentence. */
export function simulationAnswer(
  { spec, status }: SimulationReport,
  { width }: SimulationViewOptions,
  paint: Paint,
): string[] {
  const runs =
    spec.runs === 1
      ? `seed ${spec.firstSeed}`
      : `${spec.runs} runs, seeds ${spec.firstSeed} to ${spec.firstSeed + spec.runs - 1}`;
  const [first = '', ...rest] = wrap(printable(status.summary), width - 2);
  return [
    ...wrap(printable(`${spec.title} · ${runs}`), width).map(paint.dim),
    `${paint.mark(markOfSimulation(status))} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
  ];
}

/** A failure where something did not come as expected; else the mark of the worst outcome, or of what could not be done. */
export function markOfSimulation({ failures, vms, firstRun }: SimulationReport['status']): Mark {
  if (failures.length > 0) return '✗';
  const mark = markOfOutcome(worstFirst(vms)[0]?.outcome);
  return mark === '✓' && firstRun.deeds.some(({ end }) => end === 'failed') ? '!' : mark;
}

export function failureLines(
  { status, spec }: SimulationReport,
  { width }: SimulationViewOptions,
  paint: Paint,
): string[] {
  if (status.failures.length === 0) return [];
  const { told, more } = failuresToTell(status.failures);
  const lines = told.flatMap(({ expectation, message, runs, seed }) => {
    const often = spec.runs === 1 ? '' : ` (${runs} of ${spec.runs} runs, first with seed ${seed})`;
    return wrap(printable(`expect.${expectation}: ${message}${often}`), width - 4).map((line, i) =>
      i === 0 ? `  - ${line}` : `    ${line}`,
    );
  });
  return [paint.bold('Not as expected'), ...lines, ...more.map((line) => `  ${line}`)];
}

export function deedLines(
  deeds: readonly DeedResult[],
  { width }: SimulationViewOptions,
  paint: Paint,
): string[] {
  const columns: Column<DeedResult>[] = [
    { header: '  AT', cell: ({ atSeconds }) => `  ${timeText(atSeconds)}` },
    { header: 'END', cell: ({ end }) => end },
    {
      header: 'AFTER',
      cell: ({ atSeconds, endSeconds }) =>
        endSeconds === undefined ? '-' : timeText(endSeconds - atSeconds),
    },
  ];
  const last = { header: 'DONE', cell: deedText, width };
  const lines = tableLines({ columns, last, headers: true }, deeds);
  return lines.length === 0 ? [] : [paint.bold('What was done'), ...lines];
}

function deedText(done: DeedResult): string {
  const why = whyOf(done);
  return why === undefined ? done.deed : `${done.deed}: ${why}`;
}

export function countLines({ status: { counts } }: SimulationReport, paint: Paint): string[] {
  const all = Object.entries(counts) as [Outcome, { p50: number; p90: number }][];
  const width = Math.max(0, ...all.map(([outcome]) => outcome.length));
  return all.map(
    ([outcome, spread]) => `  ${paint.outcome(outcome, padEnd(outcome, width))}  ${spreadText(spread)}`,
  );
}

/** By outcome; of equal ones the order given. */
export function worstFirst(vms: readonly VmSummary[]): VmSummary[] {
  return [...vms].sort((a, b) => severityRank(a.outcome) - severityRank(b.outcome));
}

/** What happens to a VM in its columns. */
const VM_COLUMNS: readonly Column<VmSummary>[] = [
  { header: 'NAMESPACE/VM', cell: ({ name }) => name },
  { header: 'OUTCOME', cell: outcomesText },
  { header: 'START', cell: ({ startSeconds }) => spreadText(startSeconds, timeText) },
  { header: 'END', cell: ({ endSeconds }) => spreadText(endSeconds, timeText) },
  { header: 'DOWN', cell: downText },
  { header: 'MOVES', cell: ({ moves }) => spreadText(moves) },
  { header: 'FAILED', cell: ({ failedMoves }) => spreadText(failedMoves) },
  { header: 'RESTARTS', cell: ({ restarts }) => spreadText(restarts) },
];

/** Moves that failed have their column where there are any. */
export function vmColumns(vms: readonly VmSummary[]): readonly Column<VmSummary>[] {
  const someFail = vms.some(({ failedMoves }) => failedMoves.p90 > 0);
  return VM_COLUMNS.filter(({ header }) => someFail || header !== 'FAILED');
}

function vmLines(vms: readonly VmSummary[], { width }: SimulationViewOptions, paint: Paint): string[] {
  const plain = vmColumns(vms);
  const last = { header: 'NODES', cell: nodesText };
  const fits = tableLines({ columns: plain, last, headers: true }, vms).every(
    (line) => columnsOf(line) <= width,
  );
  const columns = plain.map((column) =>
    column.header === 'OUTCOME'
      ? { ...column, paint: (vm: VmSummary, text: string) => paint.outcome(vm.outcome, text) }
      : column,
  );
  // Long names of nodes go on lines of their own.
  return tableLines({ columns, last: fits ? last : { ...last, width }, headers: true }, vms);
}

/** Where it ran, and where it runs. */
export function nodesText({ fromNode = '-', toNode = '-' }: VmSummary): string {
  return fromNode === toNode ? fromNode : `${fromNode} → ${toNode}`;
}

/** One outcome, or each with its share of the runs. */
export function outcomesText({ outcome, outcomes }: VmSummary): string {
  const all = Object.entries(outcomes);
  return all.length === 1 ? outcome : all.map(([name, runs]) => `${name} ${runs}×`).join(', ');
}

function pick(vms: readonly VmSummary[]): {
  readonly shown: readonly VmSummary[];
  readonly more: readonly string[];
} {
  if (vms.length <= SHOW_ALL_UP_TO) return { shown: vms, more: [] };
  const seen = new Map<Outcome, number>();
  const shown = vms.filter(({ outcome }) => {
    const count = (seen.get(outcome) ?? 0) + 1;
    seen.set(outcome, count);
    return !isCalm(outcome) || count <= CALM_SHOWN;
  });
  const more = [...seen]
    .filter(([outcome, count]) => isCalm(outcome) && count > CALM_SHOWN)
    .map(([outcome, count]) => `… ${count - CALM_SHOWN} more ${outcome} (-o wide lists them all)`);
  return { shown, more };
}

/** `most`: so many nodes, the busiest; all where there are no more. */
export function nodeLines({ status }: SimulationReport, paint: Paint, most = MOST_NODES): string[] {
  const columns: Column<NodePeaks>[] = [
    { header: '  NODE', cell: ({ name }) => `  ${name}` },
    { header: 'GUESTS', cell: ({ guests }) => String(guests) },
    { header: 'OUT', cell: ({ outbound }) => String(outbound) },
  ];
  const busiest = [...status.nodes].sort((a, b) => b.outbound + b.inbound - a.outbound - a.inbound);
  const shown = status.nodes.length > most ? busiest.slice(0, most) : status.nodes;
  const lines = tableLines(
    { columns, last: { header: 'IN', cell: ({ inbound }) => String(inbound) }, headers: true },
    shown,
  );
  const more = status.nodes.length - shown.length;
  return [
    paint.bold('At most at one time'),
    ...lines,
    ...(more > 0 ? [paint.dim(`  … ${more} more nodes, less busy`)] : []),
    `  ${counted(status.mostCopies, 'copy', 'copies')}, ${counted(status.mostUnderWay, 'migration')} under way, ${status.mostWaiting} waiting`,
  ];
}
