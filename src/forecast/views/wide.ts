import type { Forecast, VmVerdict } from '../forecast.ts';
import { type Column, tableLines } from './columns.ts';
import { laterChanges } from './later.ts';
import type { ViewOptions } from './options.ts';
import { sorted } from './order.ts';
import { paintFor } from './paint.ts';
import { whyOf } from './remedies.ts';
import { answerLines } from './table.ts';
import { paragraphs } from './text.ts';
import { TIME_COLUMNS } from './time-columns.ts';

const NONE = '-';

/** Columns that are there only where some VM has something in them. */
const OPTIONAL: readonly Column<VmVerdict>[] = [
  { header: 'BATCH', cell: ({ batch }) => (batch === undefined ? NONE : String(batch)) },
  ...TIME_COLUMNS,
  { header: 'ANSWER', cell: ({ answer }) => (answer === undefined ? NONE : String(answer.code)) },
  {
    header: 'LATER',
    cell: (vm) =>
      laterChanges(vm)
        .map(({ when, after }) => `${when}: ${after}`)
        .join('; ') || NONE,
  },
];

/** Every VM in one line of any length, with all that fits a column: for `grep`, `less -S` and wide screens. */
export function wideView(forecast: Forecast, options: ViewOptions): string {
  const paint = paintFor(options.colour);
  const columns: Column<VmVerdict>[] = [
    { header: 'NAMESPACE', cell: (vm) => vm.namespace },
    { header: 'VM', cell: (vm) => vm.name },
    { header: 'NODE', cell: (vm) => vm.node ?? '<none>' },
    { header: 'OUTCOME', cell: (vm) => vm.outcome, paint: (vm, text) => paint.outcome(vm.outcome, text) },
    { header: 'REASON', cell: (vm) => vm.reason },
    ...OPTIONAL.filter(({ cell }) => forecast.status.vms.some((vm) => cell(vm) !== NONE)),
  ];
  const layout = { columns, last: { header: 'WHY', cell: whyAndHow }, headers: options.headers };
  const rows = tableLines(layout, sorted(forecast.status.vms, options.sortBy));
  return paragraphs(options.headers ? [answerLines(forecast, options, paint), rows] : [rows]);
}

function whyAndHow(vm: VmVerdict): string {
  return [whyOf(vm), ...vm.remedies.map((remedy) => `→ ${remedy}`)].join(' ');
}
