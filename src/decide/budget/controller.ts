/**
 * What Kubernetes' disruption controller makes of a budget: which pods it counts, and how many evictions it allows.
 * kubernetes v1.36 pkg/controller/disruption/disruption.go; drains.md §1.3 of the spec.
 */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { controllerOf, findCondition, isPodFinished } from '../../kubevirt/predicates.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';

/** The numbers in a budget's status. */
export interface BudgetCount {
  readonly expectedPods: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
}

/**
 * `counted`: the numbers. `failed`: the controller cannot count, warns of its error and allows nothing, so that
 * nothing is ever allowed. `unknown`: it needs the scale of a controller that Drover does not read; `missing` names it.
 */
export type BudgetArithmetic =
  | { readonly kind: 'counted'; readonly count: BudgetCount }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'unknown'; readonly missing: string };

/** A pod counts as healthy when it is ready. A running one without any Ready condition does too: a live cluster has no such pod, only a shortened dump. */
export function isPodReady(pod: Pod): boolean {
  const ready = findCondition(pod.status?.conditions, CONDITION.ready);
  return ready ? ready.status === 'True' : pod.status?.phase === 'Running';
}

/** Whether the budget is about the pod: same namespace, and its selector takes the pod's labels. */
export function selectsPod(budget: PodDisruptionBudget, pod: Pod): boolean {
  const sameNamespace = budget.metadata.namespace === pod.metadata.namespace;
  return sameNamespace && matchesSelector(budget.spec?.selector, pod.metadata.labels);
}

/**
 * Counts a budget anew from the pods, whatever its status says. `pods` are those of its namespace; others do no harm. Pods whose
 * name is among `disrupted` are as good as gone: an eviction has taken them.
 *
 * Promise: an integer `minAvailable` counts the matching pods themselves. `maxUnavailable` and percentages need the
 * scale of the pods' controllers, which a VMI lacks. A budget with neither number allows nothing.
 */
export function countBudget(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  disrupted: ReadonlySet<string> = NONE,
): BudgetArithmetic {
  const matching = pods.filter((pod) => selectsPod(budget, pod));
  const healthy = matching.filter((pod) => isHealthy(pod) && !disrupted.has(pod.metadata.name)).length;
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return { kind: 'counted', count: countOf(healthy, matching.length, minAvailable) };
  }
  if (maxUnavailable === undefined && minAvailable === undefined) {
    return { kind: 'counted', count: countOf(healthy, 0, 0) };
  }
  return countByScale(matching, healthy);
}

const NONE: ReadonlySet<string> = new Set();

function countOf(currentHealthy: number, expectedPods: number, desiredHealthy: number): BudgetCount {
  const spare = Math.max(0, currentHealthy - desiredHealthy);
  return { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed: expectedPods > 0 ? spare : 0 };
}

/** A pod that is being deleted is as good as gone. */
function isHealthy(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && isPodReady(pod);
}

/** Plural resource names of controllers that own pods and have no scale. */
const WITHOUT_SCALE: ReadonlyMap<string, string> = new Map([
  ['VirtualMachineInstance', 'virtualmachineinstances.kubevirt.io'],
  ['Pod', 'pods'],
  ['DaemonSet', 'daemonsets.apps'],
  ['Job', 'jobs.batch'],
]);

/** Pods without controller are left out of the expected number; without any other, that is 0 and allows nothing. */
function countByScale(matching: readonly Pod[], healthy: number): BudgetArithmetic {
  const owners = matching.flatMap((pod) => controllerOf(pod.metadata) ?? []);
  const resource = owners.map((owner) => WITHOUT_SCALE.get(owner.kind ?? '')).find(Boolean);
  if (resource) return { kind: 'failed', error: `${resource} does not implement the scale subresource` };
  const [scaled] = owners;
  if (scaled) return { kind: 'unknown', missing: `the scale of ${scaled.kind} ${scaled.name}` };
  return { kind: 'counted', count: countOf(healthy, 0, 0) };
}

/**
 * The most pods that can be healthy at once as long as no further one is selected: one for each VMI, however many
 * launchers it has while it migrates, and one for each other pod. A pod that is being deleted may come back and
 * counts; one that has ended does not.
 */
export function mostHealthy(budget: PodDisruptionBudget, pods: readonly Pod[]): number {
  const active = pods.filter((pod) => selectsPod(budget, pod) && !isPodFinished(pod));
  return new Set(active.map(workloadOf)).size;
}

function workloadOf(pod: Pod): string {
  const owner = controllerOf(pod.metadata);
  const isOfVmi = owner?.kind === 'VirtualMachineInstance';
  return isOfVmi ? `VirtualMachineInstance ${owner.name}` : `Pod ${pod.metadata.name}`;
}
