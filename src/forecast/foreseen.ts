import type { Vmi } from '../kubevirt/objects.ts';
import { byKey } from '../kubevirt/order.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { alternativesTo } from './alternatives.ts';
import type { Context } from './context.ts';
import { type Ending, verdictOf } from './ending.ts';
import type { Outcome, VmVerdict } from './forecast.ts';
import { isInScope } from './scope.ts';
import { Trail } from './trail.ts';

/** One VM's future, while what other VMs do may still change it. */
export interface Foreseen {
  readonly vmi: Vmi;
  readonly ending: Ending;
  readonly trail: Trail;
}

/** Follows each VMI by itself, by namespace and name; then lets budgets that several of them share run out. */
export function foreseeEach(context: Context, vmis: Iterable<Vmi>, follow: Follow): Foreseen[] {
  return shareBudgets([...vmis].sort(byKey).map((vmi) => foreseeOne(context, vmi, follow)));
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

export function verdictsOf(foreseen: readonly Foreseen[]): VmVerdict[] {
  return foreseen.map(({ vmi, ending, trail }) => verdictOf(vmi, ending, trail));
}

/** Outcomes after which the VM's pod no longer counts as healthy for its budget. */
const GONE: ReadonlySet<Outcome> = new Set(['StaysOff', 'MayStayOff']);

/**
 * A budget that allows n evictions at once lets one VM after another go if each comes back; a VM that stays off uses its
 * place up for good. Once all places are used up the rest is refused: by namespace and name here, by chance in life.
 */
function shareBudgets(foreseen: readonly Foreseen[]): Foreseen[] {
  const used = new Map<string, number>();
  return foreseen.map((one) => {
    const { budget } = one.ending;
    if (!budget) return one;
    const key = `${one.vmi.metadata.namespace}/${budget.name}`;
    const spent = used.get(key) ?? 0;
    if (spent >= budget.allowed) return { ...one, ending: spentBudget(one, budget.name) };
    if (GONE.has(one.ending.outcome)) used.set(key, spent + 1);
    return one;
  });
}

function spentBudget({ vmi }: Foreseen, budget: string): Ending {
  return {
    outcome: 'Blocks',
    reason: 'BudgetSpent',
    says: `refuses eviction: VMs that are evicted before it and stay off use up disruption budget "${budget}"`,
    remedies: [`Start the other VMs of budget ${budget} again, then evict ${keyOf(vmi)}.`],
  };
}
