import { compareText } from '../../kubevirt/order.ts';
import { type Forecast, OUTCOMES, type Outcome, type VmVerdict } from '../forecast.ts';
import { laterChanges } from './later.ts';
import { severityRank } from './severity.ts';

export const SORT_KEYS = ['outcome', 'namespace', 'name', 'node', 'reason'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

type Compare = (a: VmVerdict, b: VmVerdict) => number;

const COMPARE: Readonly<Record<SortKey, Compare>> = {
  outcome: (a, b) => severityRank(a.outcome) - severityRank(b.outcome),
  namespace: (a, b) => compareText(a.namespace, b.namespace),
  name: (a, b) => compareText(a.name, b.name),
  node: (a, b) => compareText(a.node ?? '', b.node ?? ''),
  reason: (a, b) => compareText(a.reason, b.reason),
};

/** VMs for which something differs later before those for which nothing does, the worst first. */
const byLater: Compare = (a, b) => worstLater(a) - worstLater(b);

function worstLater(vm: VmVerdict): number {
  if (vm.later === undefined) return OUTCOMES.length;
  return Math.min(OUTCOMES.length, ...laterChanges(vm).map(({ after }) => severityRank(after)));
}

/** Sorted by one key; ties worst first, then in the order given, which in a forecast is by namespace and name. */
export function sorted(vms: readonly VmVerdict[], by: SortKey = 'outcome'): VmVerdict[] {
  const compare = COMPARE[by];
  return [...vms].sort((a, b) => compare(a, b) || COMPARE.outcome(a, b) || byLater(a, b));
}

/** Outcomes that occur, worst first. */
export function outcomesOf(forecast: Forecast): Outcome[] {
  return OUTCOMES.filter((outcome) => forecast.status.counts[outcome] > 0);
}
