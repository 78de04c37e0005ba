import type { Vmi } from '../kubevirt/objects.ts';
import { byKey } from '../kubevirt/order.ts';
import { alternativesTo } from './alternatives.ts';
import type { Context } from './context.ts';
import { type Ending, verdictOf } from './ending.ts';
import type { VmVerdict } from './forecast.ts';
import { BudgetPlaces } from './others/budget-places.ts';
import { isInScope } from './scope.ts';
import { Trail } from './trail.ts';

/** One VM's future, while what other VMs do may still change it. */
export interface Foreseen {
  readonly vmi: Vmi;
  readonly ending: Ending;
  readonly trail: Trail;
}

/**
 * Follows each VMI by itself, by namespace and name; then lets budgets that several of them share run out. `places` goes on
 * from one call to the next where an action comes in parts.
 */
export function foreseeEach(
  context: Context,
  vmis: Iterable<Vmi>,
  follow: Follow,
  places = new BudgetPlaces(context),
): Foreseen[] {
  return [...vmis].sort(byKey).map((vmi) => places.take(foreseeOne(context, vmi, follow)));
}

/** How one VM's future is followed; asked again about a changed VM or cluster for what would change the answer. */
export type Follow = (context: Context, vmi: Vmi, trail: Trail) => Ending;

function foreseeOne(context: Context, vmi: Vmi, follow: Follow): Foreseen {
  const explain = context.explain && isInScope(context.fleet, context.scope, vmi);
  const trail = new Trail(explain);
  const ending = follow(context, vmi, trail);
  const alternatives = explain ? alternativesTo(context, vmi, ending, follow) : undefined;
  return { vmi, ending: { ...ending, alternatives }, trail };
}

/** In the order given. */
export function verdictsOf(foreseen: readonly Foreseen[]): VmVerdict[] {
  return foreseen.map(({ vmi, ending, trail }) => verdictOf(vmi, ending, trail));
}
