import { VIOLATES_BUDGET } from '../decide/budget/answer.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Ending } from './ending.ts';
import type { Outcome } from './forecast.ts';
import type { Foreseen } from './foreseen.ts';
import { someOf } from './views/remedies.ts';

/**
 * Who uses up places of disruption budgets in the course of one action, over all its nodes.
 *
 * A budget that allows n evictions at once lets one VM after another go if each comes back; a VM that is not back up uses its
 * place up. Once all places are used up the rest is refused: in the order of the turns here, by chance in life.
 */
export class BudgetPlaces {
  /** VMs that are not back up, by namespace and name of the budget that let them go. */
  readonly #down = new Map<string, string[]>();

  /** What becomes of the VM whose turn it is, after those that had theirs. */
  take(one: Foreseen): Foreseen {
    const { budget } = one.ending;
    if (!budget) return one;
    const key = `${one.vmi.metadata.namespace ?? ''}/${budget.name}`;
    const down = this.#down.get(key) ?? [];
    if (down.length >= budget.allowed) return refused(one, key, down);
    if (staysDown(one.ending)) this.#down.set(key, [...down, keyOf(one.vmi)]);
    return one;
  }
}

/** Outcomes after which the VM's pod no longer counts as healthy for its budget. */
const GONE: ReadonlySet<Outcome> = new Set(['StaysOff', 'MayStayOff']);
/** So do those that would start again, if only a node took them. */
const WAITS: ReadonlySet<string> = new Set(['WaitsForRoom', 'WaitsForUncordon']);

function staysDown({ outcome, reason }: Ending): boolean {
  return GONE.has(outcome) || WAITS.has(reason);
}

function refused({ vmi, trail }: Foreseen, budget: string, down: readonly string[]): Foreseen {
  const name = budget.slice(budget.indexOf('/') + 1);
  const use = down.length === 1 ? 'uses' : 'use';
  const why = `${someOf(down)}, evicted before it and not back up by then, ${use} up disruption budget "${name}"`;
  trail.note('disruption budget after others', 'BudgetSpent', why, [
    { object: `PodDisruptionBudget ${budget}`, path: 'evicted and not back up', value: down },
  ]);
  const ending: Ending = {
    outcome: 'Blocks',
    reason: 'BudgetSpent',
    says: `refuses eviction: ${why}`,
    remedies: [`Bring the other VMs of budget ${name} up again, then evict ${keyOf(vmi)}.`],
    answer: { code: 429, message: VIOLATES_BUDGET },
    spentBy: down,
  };
  return { vmi, ending, trail };
}
