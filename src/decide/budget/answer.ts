import type { PodDisruptionBudget } from '../../kubevirt/objects.ts';

/** How the API server refuses: the code, the text that clients print, and the cause in the status details. */
export interface BudgetRefusal {
  readonly code: 429 | 500;
  readonly message: string;
  readonly cause?: { readonly reason: 'DisruptionBudget'; readonly message: string } | undefined;
}

/**
 * What the budgets say to an eviction. `message` is a sentence for a person that names the budget.
 *
 * `Evictable`: the pod is deleted; where that is charged to a budget, `disruptionsAllowed` is how many evictions it
 * allows at this moment, this one included. `RefusedNow`: may clear on its own. `RefusedForEver`: as long as
 * neither the budget nor the set of pods changes. `SeveralBudgets`: an error that ends a drain of the pod.
 * `Unknown`: cannot be told from what is given; `missing` names what lacks.
 */
export type BudgetAnswer =
  | {
      readonly kind: 'Evictable';
      readonly message: string;
      readonly budget?: string | undefined;
      readonly disruptionsAllowed?: number | undefined;
    }
  | {
      readonly kind: 'RefusedNow' | 'RefusedForEver';
      readonly message: string;
      readonly budget: string;
      readonly refusal: BudgetRefusal;
    }
  | {
      readonly kind: 'SeveralBudgets';
      readonly message: string;
      readonly budgets: readonly string[];
      readonly refusal: BudgetRefusal;
    }
  | { readonly kind: 'Unknown'; readonly message: string; readonly missing: string };

/** What clients print of an eviction that a budget refuses with 429. */
export const VIOLATES_BUDGET = "Cannot evict pod as it would violate the pod's disruption budget.";

/** The refusal of a budget that allows nothing at the moment; the numbers are those of its status. */
export function refusalBy(
  budget: PodDisruptionBudget,
  count: { readonly desiredHealthy: number; readonly currentHealthy: number },
): BudgetRefusal {
  const { name } = budget.metadata;
  const { desiredHealthy, currentHealthy } = count;
  return {
    code: 429,
    message: VIOLATES_BUDGET,
    cause: {
      reason: 'DisruptionBudget',
      message: `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    },
  };
}

export const SEVERAL_BUDGETS_REFUSAL: BudgetRefusal = {
  code: 500,
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
};
