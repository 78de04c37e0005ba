import { type BudgetAnswer, budgetTable } from '../../../decide/disruption-budget.ts';
import { isForVm } from '../../../decide/placement/placed.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import type { Context } from '../../context.ts';
import type { DrainedNode } from './drained-node.ts';

/** A pod that is no VM's, and what its budgets say to its eviction. */
export interface RefusedPod {
  readonly pod: Pod;
  readonly answer: Exclude<BudgetAnswer, { readonly kind: 'Evictable' }>;
}

/** The pods that are no VM's and that a drain of the node does not get rid of as things stand. */
export function refusedPods({ fleet }: Context, node: DrainedNode): RefusedPod[] {
  if (node.errors.length > 0 || node.client.flags.disableEviction) return [];
  return othersOn(node).flatMap((pod) => {
    const namespace = pod.metadata.namespace ?? '';
    const budgets = fleet.budgetsIn(namespace);
    const pods = budgets.length > 0 ? fleet.podsIn(namespace) : [];
    const answer = resultOf(budgetTable, { pod, budgets, pods });
    return answer.kind === 'Evictable' ? [] : [{ pod, answer }];
  });
}

/** The pods that are no VM's and that a drain of the node gets rid of. */
export function takenPods(context: Context, node: DrainedNode): Pod[] {
  if (node.errors.length > 0) return [];
  const refused = new Set(refusedPods(context, node).map(({ pod }) => pod));
  return othersOn(node).filter((pod) => !refused.has(pod));
}

function othersOn(node: DrainedNode): Pod[] {
  return selectedOn(node).filter((pod) => !isForVm(pod));
}

/** The pods that the client takes. */
export function selectedOn({ pods }: DrainedNode): Pod[] {
  return pods.filter(({ selected }) => selected.selected).map(({ pod }) => pod);
}
