import { formatDuration } from '../../kubevirt/time.ts';
import type { TimeRange, VmVerdict } from '../forecast.ts';
import type { Column } from './columns.ts';

/** Where times are told; `-` for a VM that has none. */
export const TIME_COLUMNS: readonly Column<VmVerdict>[] = [
  { header: 'START', cell: ({ start }) => shortRange(start) },
  { header: 'END', cell: ({ end }) => shortRange(end) },
  { header: 'DOWN', cell: ({ downtimeSeconds }) => shortRange(downtimeSeconds) },
];

/** Those that have something to tell of some VM. */
export function timeColumns(vms: readonly VmVerdict[]): readonly Column<VmVerdict>[] {
  return TIME_COLUMNS.filter(({ cell }) => vms.some((vm) => cell(vm) !== '-'));
}

/** The middle, and the slow end where it is another. */
function shortRange(range: TimeRange | undefined): string {
  if (range === undefined) return '-';
  const { p50, p90 } = range;
  return p50 === p90 ? formatDuration(p50) : `${formatDuration(p50)}–${formatDuration(p90)}`;
}
