import { selectsPod } from '../../decide/budget/controller.ts';
import { type BudgetAnswer, budgetTable } from '../../decide/disruption-budget.ts';
import { type Decision, decide } from '../../decide/rules.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { addToGroup } from '../../kubevirt/group-by.ts';
import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';

/**
 * Which budgets select which pods, worked out once for the whole fleet. A budget looks only at pods that carry one of its
 * labels, so the cost is that of the matches, also where KubeVirt made a budget for every VMI.
 */
export class Budgets {
  readonly #fleet: Fleet;
  #selected: ReadonlyMap<PodDisruptionBudget, readonly Pod[]> | undefined;
  #over: ReadonlyMap<Pod, readonly PodDisruptionBudget[]> | undefined;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Every budget with the pods that it selects; budgets by namespace and name. */
  selections(): ReadonlyMap<PodDisruptionBudget, readonly Pod[]> {
    this.#selected ??= selectionsOf(this.#fleet);
    return this.#selected;
  }

  /** The budgets that select a pod, by namespace and name. */
  over(pod: Pod): readonly PodDisruptionBudget[] {
    this.#over ??= inverted(this.selections());
    return this.#over.get(pod) ?? [];
  }

  /** What the budgets say to the eviction of the pod, once the webhook has let it through. */
  answerFor(pod: Pod): Decision<BudgetAnswer> {
    const budgets = this.over(pod);
    const pods = new Set(budgets.flatMap((budget) => this.selections().get(budget) ?? []));
    return decide(budgetTable, { pod, budgets, pods: [...pods] });
  }
}

function selectionsOf(fleet: Fleet): Map<PodDisruptionBudget, readonly Pod[]> {
  const budgets = [...fleet.all('PodDisruptionBudget')].sort(byKey);
  const pods = budgets.length > 0 ? podsByLabel(fleet) : new Map<string, Pod[]>();
  return new Map(
    budgets.map((budget) => [budget, candidates(budget, pods).filter((pod) => selectsPod(budget, pod))]),
  );
}

/** Pods by namespace, and by each of their labels within it. */
function podsByLabel(fleet: Fleet): Map<string, Pod[]> {
  const index = new Map<string, Pod[]>();
  for (const pod of fleet.all('Pod')) {
    const { namespace = '', labels = {} } = pod.metadata;
    const pairs = Object.entries(labels).map(([key, value]) => placeOf(namespace, key, value));
    for (const place of [namespace, ...pairs]) addToGroup(index, place, pod);
  }
  return index;
}

function placeOf(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`;
}

/** The fewest pods that are sure to hold all that the budget selects. */
function candidates({ metadata, spec }: PodDisruptionBudget, index: ReadonlyMap<string, Pod[]>): Pod[] {
  const { namespace = '' } = metadata;
  const pairs = Object.entries(spec?.selector?.matchLabels ?? {});
  const places = [namespace, ...pairs.map(([key, value]) => placeOf(namespace, key, value))];
  const [fewest = []] = places.map((place) => index.get(place) ?? []).sort((a, b) => a.length - b.length);
  return fewest;
}

function inverted(
  selections: ReadonlyMap<PodDisruptionBudget, readonly Pod[]>,
): Map<Pod, PodDisruptionBudget[]> {
  const over = new Map<Pod, PodDisruptionBudget[]>();
  for (const [budget, pods] of selections) for (const pod of pods) addToGroup(over, pod, budget);
  return over;
}
