/**
 * What the API server does with an eviction that the webhooks have let through: it asks the disruption budgets.
 * Eviction-webhook §1 and drains §1.3 of the spec.
 */
import { isPodFinished } from '../kubevirt/predicates.ts';
import { type BudgetAnswer, SEVERAL_BUDGETS_REFUSAL } from './budget/answer.ts';
import { oneBudgetTable } from './budget/one-budget.ts';
import { type BudgetInput, budgetsOf, standingOf } from './budget/standing.ts';
import { field, podField } from './evidence.ts';
import { narrowed } from './narrowed.ts';
import type { Evidence, Table } from './rules.ts';

export type { BudgetAnswer } from './budget/answer.ts';
export type { BudgetInput } from './budget/standing.ts';

const EVICTION = 'kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go';

/** Whether the budgets let a pod be evicted at this moment, and if not, whether they ever will. */
export const budgetTable: Table<BudgetInput, BudgetAnswer> = [
  {
    name: 'BudgetsNotAsked',
    asks: 'the pod has ended, has not started or is being deleted, so that no budget is asked',
    source: EVICTION,
    when: ({ pod }) =>
      isPodFinished(pod) || pod.status?.phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined,
    reads: ({ pod }) => [
      podField(pod, 'status.phase', pod.status?.phase),
      podField(pod, 'metadata.deletionTimestamp', pod.metadata.deletionTimestamp),
    ],
    then: ({ pod }) => ({
      kind: 'Evictable',
      message: `no disruption budget is asked about pod ${pod.metadata.name}: it is not running, or on its way out`,
    }),
  },
  {
    name: 'NoBudget',
    asks: 'no budget selects the pod',
    source: EVICTION,
    when: (input) => budgetsOf(input).length === 0,
    reads: readsSelectors,
    then: ({ pod }) => ({
      kind: 'Evictable',
      message: `no disruption budget selects pod ${pod.metadata.name}`,
    }),
  },
  {
    name: 'SeveralBudgets',
    asks: 'more than one budget selects the pod, which the API server cannot handle',
    source: EVICTION,
    when: (input) => budgetsOf(input).length > 1,
    reads: readsSelectors,
    then: (input) => {
      const budgets = budgetsOf(input).map((budget) => budget.metadata.name);
      const message = `${budgets.length} disruption budgets (${budgets.join(', ')}) select pod ${input.pod.metadata.name}, and the API server evicts no such pod`;
      return { kind: 'SeveralBudgets', message, budgets, refusal: SEVERAL_BUDGETS_REFUSAL };
    },
  },
  // These are never asked but of exactly one budget.
  ...oneBudgetTable.map((rule) => narrowed(rule, standingOf)),
];

function readsSelectors(input: BudgetInput): Evidence[] {
  return budgetsOf(input).map((budget) =>
    field(budget, 'spec.selector', budget.spec?.selector, 'PodDisruptionBudget'),
  );
}
