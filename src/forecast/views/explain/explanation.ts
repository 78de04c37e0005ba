import type { Forecast, Outcome, VmVerdict } from '../../forecast.ts';
import { type SortKey, sorted } from '../order.ts';
import { keyOfVm } from '../remedies.ts';
import { severityRank } from '../severity.ts';

/** Everything that is foretold about one VM. */
export interface Explanation {
  /** `namespace/name` */
  readonly vm: string;
  /** Each about this VM alone, with every rule that was tried. */
  readonly forecasts: readonly Forecast[];
}

/** What one forecast says about the VM, and on what occasion. */
export interface Way {
  /** `upgrade`, `drain n1`, `eviction` */
  readonly occasion: string;
  readonly forecast: Forecast;
  readonly verdict: VmVerdict;
}

/** What becomes of the VM on each occasion, in the order of the forecasts; those that do not have it are left out. */
export function waysOf({ vm, forecasts }: Explanation): Way[] {
  return forecasts.flatMap((forecast) => {
    const verdict = verdictOn(forecast, vm);
    return verdict ? [{ occasion: occasionOf(forecast), forecast, verdict }] : [];
  });
}

export function verdictOn(forecast: Forecast, vm: string): VmVerdict | undefined {
  return forecast.status.vms.find((verdict) => keyOfVm(verdict) === vm);
}

function occasionOf({ spec }: Forecast): string {
  const { nodes } = spec.parameters;
  if (spec.action === 'drain' && Array.isArray(nodes)) return `drain ${nodes.join(' ')}`;
  return spec.action === 'evict' ? 'eviction' : spec.action;
}

/** The worst that is foretold, the first of several alike; `undefined` where nothing is. */
export function worstOf(...explanations: readonly Explanation[]): VmVerdict | undefined {
  const verdicts = explanations.flatMap((explanation) => waysOf(explanation).map(({ verdict }) => verdict));
  const worst = Math.min(...verdicts.map(({ outcome }) => severityRank(outcome)));
  return verdicts.find(({ outcome }) => severityRank(outcome) === worst);
}

/** How many VMs have which outcome at the worst. */
export function worstCounts(explanations: readonly Explanation[]): Map<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const explanation of explanations) {
    const outcome = worstOf(explanation)?.outcome;
    if (outcome !== undefined) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
}

/** Explanations in the order in which a forecast would have their VMs, each by its worst outcome. */
export function sortedExplanations(explanations: readonly Explanation[], by: SortKey): Explanation[] {
  const byVerdict = new Map(explanations.map((explanation) => [worstOf(explanation), explanation]));
  const verdicts = [...byVerdict.keys()].filter((verdict) => verdict !== undefined);
  const known = sorted(verdicts, by).flatMap((verdict) => byVerdict.get(verdict) ?? []);
  return [...known, ...explanations.filter((explanation) => worstOf(explanation) === undefined)];
}

/** What several forecasts say besides, each once. */
export function besides(
  explanations: readonly Explanation[],
  textsOf: (status: Forecast['status']) => readonly string[],
): string[] {
  const forecasts = explanations.flatMap((explanation) => explanation.forecasts);
  return [...new Set(forecasts.flatMap(({ status }) => textsOf(status)))];
}
