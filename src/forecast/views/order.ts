import { type Forecast, OUTCOMES, type Outcome, type VmVerdict } from '../forecast.ts';

export const SORT_KEYS = ['outcome', 'namespace', 'name', 'node', 'reason'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** 0 is the worst. */
export function severityRank(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome);
}

/** Whether an outcome is at least as severe as another. */
export function isAsSevere(outcome: Outcome, threshold: Outcome): boolean {
  return severityRank(outcome) <= severityRank(threshold);
}

const RANK = new Map(OUTCOMES.map((outcome, rank) => [outcome, rank]));
const collator = new Intl.Collator('en', { numeric: true });

/** Compares names as people count: `vm-2` before `vm-10`. Ties by code unit, so that the order is total. */
function byName(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

const COMPARE: Readonly<Record<SortKey, (a: VmVerdict, b: VmVerdict) => number>> = {
  outcome: (a, b) => (RANK.get(a.outcome) ?? 0) - (RANK.get(b.outcome) ?? 0),
  namespace: (a, b) => byName(a.namespace, b.namespace),
  name: (a, b) => byName(a.name, b.name),
  node: (a, b) => byName(a.node ?? '', b.node ?? ''),
  reason: (a, b) => byName(a.reason, b.reason),
};

/** Sorted by one key; ties worst first, then by namespace and name. */
export function sorted(vms: readonly VmVerdict[], by: SortKey = 'outcome'): VmVerdict[] {
  const keys = [by, 'outcome', 'namespace', 'name'] as const;
  return [...vms].sort((a, b) => keys.reduce((order, key) => order || COMPARE[key](a, b), 0));
}

/** Outcomes that occur, worst first. */
export function outcomesOf(forecast: Forecast): Outcome[] {
  return OUTCOMES.filter((outcome) => forecast.status.counts[outcome] > 0);
}

/** Nothing is interrupted: these may be summed up where there are many. */
export function isCalm(outcome: Outcome): boolean {
  return outcome === 'LiveMigrates' || outcome === 'Untouched';
}

/** Somebody has to do something, or a guest is lost. */
export function isBreaking(outcome: Outcome): boolean {
  return isAsSevere(outcome, 'MayStayOff');
}
