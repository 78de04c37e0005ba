import { type Forecast, OUTCOMES, type Outcome, type VmVerdict } from '../forecast.ts';
import { laterChanges } from './later.ts';
import { severityRank } from './severity.ts';

export const SORT_KEYS = ['outcome', 'namespace', 'name', 'node', 'reason'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

const collator = new Intl.Collator('en', { numeric: true });

/** Compares names as people count: `vm-2` before `vm-10`. Ties by code unit, so that the order is total. */
function byName(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

type Compare = (a: VmVerdict, b: VmVerdict) => number;

const COMPARE: Readonly<Record<SortKey, Compare>> = {
  outcome: (a, b) => severityRank(a.outcome) - severityRank(b.outcome),
  namespace: (a, b) => byName(a.namespace, b.namespace),
  name: (a, b) => byName(a.name, b.name),
  node: (a, b) => byName(a.node ?? '', b.node ?? ''),
  reason: (a, b) => byName(a.reason, b.reason),
};

/** VMs for which something differs later before those for which nothing does, the worst first. */
const byLater: Compare = (a, b) => worstLater(a) - worstLater(b);

function worstLater(vm: VmVerdict): number {
  return Math.min(OUTCOMES.length, ...laterChanges(vm).map(({ after }) => severityRank(after)));
}

/** Sorted by one key; ties worst first, then by namespace and name. */
export function sorted(vms: readonly VmVerdict[], by: SortKey = 'outcome'): VmVerdict[] {
  const criteria = [COMPARE[by], COMPARE.outcome, byLater, COMPARE.namespace, COMPARE.name];
  return [...vms].sort((a, b) => criteria.reduce((order, compare) => order || compare(a, b), 0));
}

/** Outcomes that occur, worst first. */
export function outcomesOf(forecast: Forecast): Outcome[] {
  return OUTCOMES.filter((outcome) => forecast.status.counts[outcome] > 0);
}
