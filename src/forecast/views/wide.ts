import type { Forecast, VmVerdict } from '../forecast.ts';
import { type Column, tableLines } from './columns.ts';
import type { ViewOptions } from './options.ts';
import { sorted } from './order.ts';
import { paintFor } from './paint.ts';
import { answerLines } from './table.ts';
import { paragraphs } from './text.ts';

/** Every VM in one line of any length, with all that fits a column: for `grep`, `less -S` and wide screens. */
export function wideView(forecast: Forecast, options: ViewOptions): string {
  const paint = paintFor(options.colour);
  const columns: Column<VmVerdict>[] = [
    { header: 'NAMESPACE', cell: (vm) => vm.namespace },
    { header: 'VM', cell: (vm) => vm.name },
    { header: 'NODE', cell: (vm) => vm.node ?? '<none>' },
    { header: 'OUTCOME', cell: (vm) => vm.outcome, paint: (vm, text) => paint.outcome(vm.outcome, text) },
    { header: 'REASON', cell: (vm) => vm.reason },
    { header: 'BATCH', cell: (vm) => (vm.batch === undefined ? '-' : String(vm.batch)) },
  ];
  const layout = { columns, last: { header: 'WHY', cell: whyAndHow }, headers: options.headers };
  const rows = tableLines(layout, sorted(forecast.status.vms, options.sortBy));
  return paragraphs(options.headers ? [answerLines(forecast, options, paint), rows] : [rows]);
}

function whyAndHow(vm: VmVerdict): string {
  return [vm.message, ...vm.remedies.map((remedy) => `→ ${remedy}`)].join(' ');
}
