import { selectsPod } from '../../../decide/budget/controller.ts';
import type { Pod, PodDisruptionBudget } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { Groups } from '../groups.ts';

/**
 * Which budgets select which pods. A change of a pod costs as much as the pod has labels, whatever the number of budgets, as long as
 * their selectors name a label by its value.
 */
export class SelectedPods {
  readonly #budgets = new Map<string, PodDisruptionBudget>();
  /** Keys of budgets by namespace and one label that they ask for; those that ask for none by the namespace alone. */
  readonly #byLabel = new Groups<string, string>();
  readonly #podsOf = new Groups<string, string>();
  readonly #budgetsOf = new Groups<string, string>();

  /** Keys of the pods that a budget selects. */
  podsOf(budget: string): ReadonlySet<string> {
    return this.#podsOf.get(budget);
  }

  /** Keys of the budgets that select a pod. */
  budgetsOf(pod: string): readonly string[] {
    return [...this.#budgetsOf.get(pod)];
  }

  /** Takes a budget in, or anew; `pods` are those of its namespace. */
  setBudget(budget: PodDisruptionBudget, pods: Iterable<Pod>): void {
    const key = keyOf(budget);
    this.deleteBudget(key);
    this.#budgets.set(key, budget);
    this.#byLabel.add(groupOf(budget), key);
    for (const pod of pods) if (selectsPod(budget, pod)) this.#link(key, keyOf(pod));
  }

  deleteBudget(key: string): void {
    const budget = this.#budgets.get(key);
    if (!budget) return;
    this.#budgets.delete(key);
    this.#byLabel.delete(groupOf(budget), key);
    for (const pod of [...this.#podsOf.get(key)]) this.#unlink(key, pod);
  }

  setPod(pod: Pod): void {
    const key = keyOf(pod);
    this.deletePod(key);
    for (const group of groupsOf(pod)) {
      for (const name of this.#byLabel.get(group)) {
        const budget = this.#budgets.get(name);
        if (budget && selectsPod(budget, pod)) this.#link(name, key);
      }
    }
  }

  deletePod(key: string): void {
    for (const budget of this.budgetsOf(key)) this.#unlink(budget, key);
  }

  #link(budget: string, pod: string): void {
    this.#podsOf.add(budget, pod);
    this.#budgetsOf.add(pod, budget);
  }

  #unlink(budget: string, pod: string): void {
    this.#podsOf.delete(budget, pod);
    this.#budgetsOf.delete(pod, budget);
  }
}

function groupOf({ metadata, spec }: PodDisruptionBudget): string {
  const [label] = Object.entries(spec?.selector?.matchLabels ?? {});
  return label ? `${metadata.namespace} ${label.join('=')}` : `${metadata.namespace}`;
}

function groupsOf({ metadata }: Pod): string[] {
  const labels = Object.entries(metadata.labels ?? {});
  return [`${metadata.namespace}`, ...labels.map((label) => `${metadata.namespace} ${label.join('=')}`)];
}
