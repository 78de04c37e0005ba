import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import {
  type BudgetArithmetic,
  type BudgetCount,
  countBudget,
  mostHealthy,
  selectsPod,
} from './controller.ts';

export interface BudgetInput {
  /** The pod to be evicted. */
  readonly pod: Pod;
  /** The budgets of its namespace; those of others do no harm. */
  readonly budgets: readonly PodDisruptionBudget[];
  /** The pods of its namespace, itself included; those of others do no harm. */
  readonly pods: readonly Pod[];
}

/** The only budget that selects a pod, and what it comes to. */
export interface BudgetStanding {
  readonly pod: Pod;
  readonly budget: PodDisruptionBudget;
  /** The numbers that the API server goes by. */
  readonly count: BudgetCount;
  /** Why the controller, or Drover, cannot work out numbers; nothing is allowed then. */
  readonly trouble?: Exclude<BudgetArithmetic, { kind: 'counted' }> | undefined;
  /** How many of the selected pods could be healthy at once. */
  readonly most: number;
}

/** One input is asked by many rules; what it comes to is worked out once. */
const SELECTING = new WeakMap<BudgetInput, readonly PodDisruptionBudget[]>();
const STANDINGS = new WeakMap<BudgetInput, BudgetStanding>();

function remembered<V>(memory: WeakMap<BudgetInput, V>, input: BudgetInput, workOut: () => V): V {
  const known = memory.get(input);
  if (known !== undefined) return known;
  const value = workOut();
  memory.set(input, value);
  return value;
}

/** The budgets that select the pod, by name. An input must not change once it was asked about. */
export function budgetsOf(input: BudgetInput): readonly PodDisruptionBudget[] {
  return remembered(SELECTING, input, () =>
    input.budgets.filter((budget) => selectsPod(budget, input.pod)).sort(byKey),
  );
}

/** Where the pod's only budget stands. Promise: throws unless exactly one selects it. */
export function standingOf(input: BudgetInput): BudgetStanding {
  return remembered(STANDINGS, input, () => {
    const [budget, ...others] = budgetsOf(input);
    if (!budget || others.length > 0) throw new Error('not exactly one disruption budget selects the pod');
    return stand(budget, input);
  });
}

function stand(budget: PodDisruptionBudget, { pod, pods }: BudgetInput): BudgetStanding {
  const base = { pod, budget, most: mostHealthy(budget, pods) };
  const counted = countBudget(budget, pods);
  const status = counted.kind === 'failed' ? undefined : trustedStatus(budget);
  if (status) return { ...base, count: status };
  if (counted.kind === 'counted') return { ...base, count: counted.count };
  return { ...base, count: allowingNothing(budget), trouble: counted };
}

/** When the controller fails, it sets the allowance to 0 and leaves the other numbers as they were. */
function allowingNothing({ status }: PodDisruptionBudget): BudgetCount {
  const { expectedPods = 0, currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed: 0 };
}

/**
 * The numbers of the status, unless it is of an older generation, lacks one, is not what its own numbers come to (an
 * eviction has just been let through), or was made for another `minAvailable`.
 */
function trustedStatus({ metadata, spec, status }: PodDisruptionBudget): BudgetCount | undefined {
  const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = status ?? {};
  if (disruptionsAllowed === undefined || currentHealthy === undefined) return undefined;
  if (desiredHealthy === undefined || expectedPods === undefined) return undefined;
  if ((status?.observedGeneration ?? metadata.generation ?? 0) < (metadata.generation ?? 0)) return undefined;
  const spare = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const asked = typeof spec?.minAvailable === 'number' ? spec.minAvailable : desiredHealthy;
  if (disruptionsAllowed !== spare || desiredHealthy !== asked) return undefined;
  return { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
}
