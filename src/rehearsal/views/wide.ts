import { type Column, tableLines } from '../../forecast/views/columns.ts';
import { paintFor } from '../../forecast/views/paint.ts';
import { paragraphs } from '../../forecast/views/text.ts';
import type { SimulationReport } from '../report.ts';
import type { EventResult } from '../result.ts';
import type { VmSummary } from '../summary.ts';
import {
  countLines,
  deedLines,
  failureLines,
  nodeLines,
  nodesText,
  type SimulationViewOptions,
  simulationAnswer,
  vmColumns,
  worstFirst,
} from './table.ts';
import { timeText } from './words.ts';

/** All that the table has, with every VM in one line and every node, and every event of the first run. */
export function simulationWide(report: SimulationReport, options: SimulationViewOptions): string {
  const paint = paintFor(options.colour);
  const columns: Column<VmSummary>[] = [
    ...vmColumns(report.status.vms),
    { header: 'REASON', cell: ({ reason }) => reason },
  ];
  const vms = tableLines(
    { columns, last: { header: 'NODES', cell: nodesText }, headers: true },
    worstFirst(report.status.vms),
  );
  return paragraphs([
    simulationAnswer(report, options, paint),
    failureLines(report, options, paint),
    deedLines(report.status.firstRun.deeds, options, paint),
    countLines(report, paint),
    vms,
    nodeLines(report, paint, Number.POSITIVE_INFINITY),
    eventLines(report),
  ]);
}

function eventLines({ status: { firstRun } }: SimulationReport): string[] {
  const columns: Column<EventResult>[] = [
    { header: 'AT', cell: ({ seconds }) => timeText(seconds) },
    { header: 'OBJECT', cell: ({ object }) => object },
    { header: 'REASON', cell: ({ reason }) => reason },
  ];
  return tableLines(
    { columns, last: { header: 'MESSAGE', cell: ({ message }) => message }, headers: true },
    firstRun.events,
  );
}
