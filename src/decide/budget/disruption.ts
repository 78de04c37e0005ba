/** One look of Kubernetes' disruption controller at one budget. kubernetes v1.36 pkg/controller/disruption/disruption.go. */
import { isSameJson } from '../../kubevirt/json.ts';
import type { Condition, Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';
import { formatInstant, type Instant, parseInstant } from '../../kubevirt/time.ts';
import { type EventDraft, eventOnBudget, eventOnPod } from '../events.ts';
import { withCondition } from '../vmi/conditions.ts';
import { countBudget } from './controller.ts';

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

/** How long a pod whose eviction was let through counts as gone, though nobody deletes it. */
const DELETION_SECONDS = 120;

const DISRUPTION_ALLOWED = 'DisruptionAllowed';

export interface DisruptionInput {
  readonly budget: PodDisruptionBudget;
  /** The pods that it selects. */
  readonly pods: readonly Pod[];
  readonly now: Instant;
}

export interface DisruptionLook {
  /** The status as it should be. */
  readonly status: BudgetStatus;
  readonly events: readonly EventDraft[];
  /** When the next pod that should be gone by then is given up. */
  readonly againAt?: Instant | undefined;
}

/**
 * What the controller makes of a budget. Where it cannot count, it allows nothing and leaves the other numbers. `undefined`: it
 * would need the scale of a controller that is not read here, and the status stays as it is.
 */
export function lookAtBudget(input: DisruptionInput): DisruptionLook | undefined {
  const { budget, pods } = input;
  const going = pods.filter((pod) => isGoing(budget, pod));
  const { kept, late } = partition(going, input);
  const counted = countBudget(budget, pods, new Set(kept.map(({ metadata }) => metadata.name)));
  const events =
    pods.length === 0 ? [eventOnBudget(budget, 'Normal', 'NoPods', 'No matching pods found')] : [];
  if (counted.kind === 'unknown') return undefined;
  if (counted.kind === 'failed') {
    const message = `Failed to calculate the number of expected pods: ${counted.error}`;
    return {
      status: failedStatus(input, counted.error),
      events: [eventOnBudget(budget, 'Warning', 'CalculateExpectedPodCountFailed', message)],
    };
  }
  const disruptedPods = Object.fromEntries(
    kept.map(({ metadata: { name } }) => [name, budget.status?.disruptedPods?.[name] ?? '']),
  );
  const { disruptionsAllowed } = counted.count;
  const status: BudgetStatus = {
    ...counted.count,
    observedGeneration: budget.metadata.generation,
    ...(kept.length > 0 && { disruptedPods }),
    conditions: conditionsOf(budget, allowedCondition(disruptionsAllowed), input.now),
  };
  const again = kept.map((pod) => goneBy(budget, pod) ?? Number.POSITIVE_INFINITY);
  return {
    status,
    events: [...events, ...late.map((pod) => notDeletedEvent(budget, pod))],
    againAt: again.length > 0 ? Math.min(...again) : undefined,
  };
}

/**
 * A budget with the eviction of a pod charged to it, until the controller has counted again; one whose status allows nothing
 * stays as it is (pkg/registry/core/pod/storage/eviction.go).
 */
export function charged(budget: PodDisruptionBudget, pod: Pod, now: Instant): PodDisruptionBudget {
  const { disruptionsAllowed: allowed = 0, disruptedPods } = budget.status ?? {};
  if (allowed < 1) return budget;
  const disruptionsAllowed = allowed - 1;
  return {
    ...budget,
    status: {
      ...budget.status,
      disruptionsAllowed,
      disruptedPods: { ...disruptedPods, [pod.metadata.name]: formatInstant(now) },
      conditions: conditionsOf(budget, allowedCondition(disruptionsAllowed), now),
    },
  };
}

/** Whether the budget's status says that already; an empty map is no map. */
export function isUpToDate({ status }: PodDisruptionBudget, wanted: BudgetStatus): boolean {
  const read = (of: BudgetStatus | undefined) => {
    const { disruptedPods = {}, conditions = [], ...numbers } = of ?? {};
    const bare = conditions.map(({ lastTransitionTime: _, ...condition }) => condition);
    return { ...numbers, disruptedPods, conditions: bare };
  };
  return status !== undefined && isSameJson(read(status), read(wanted));
}

/** Evicted by the budget's own account, and not on its way out yet. */
function isGoing({ status }: PodDisruptionBudget, { metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.disruptedPods?.[metadata.name] !== undefined;
}

function goneBy({ status }: PodDisruptionBudget, { metadata }: Pod): Instant | undefined {
  const evictedAt = parseInstant(status?.disruptedPods?.[metadata.name]);
  return evictedAt === undefined ? undefined : evictedAt + DELETION_SECONDS * 1000;
}

function partition(going: readonly Pod[], { budget, now }: DisruptionInput) {
  const isLate = (pod: Pod) => (goneBy(budget, pod) ?? 0) < now;
  return { kept: going.filter((pod) => !isLate(pod)), late: going.filter(isLate) };
}

function failedStatus({ budget, now }: DisruptionInput, error: string): BudgetStatus {
  const condition = { type: DISRUPTION_ALLOWED, status: 'False', reason: 'SyncFailed', message: error };
  return {
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: conditionsOf(budget, condition, now),
  };
}

function allowedCondition(disruptionsAllowed: number): Condition {
  return disruptionsAllowed > 0
    ? { type: DISRUPTION_ALLOWED, status: 'True', reason: 'SufficientPods', message: '' }
    : { type: DISRUPTION_ALLOWED, status: 'False', reason: 'InsufficientPods', message: '' };
}

/** The time of its last change is kept where the condition's status is. */
function conditionsOf({ status }: PodDisruptionBudget, wanted: Condition, now: Instant): Condition[] {
  const conditions = status?.conditions ?? [];
  const held = findCondition(conditions, wanted.type);
  const lastTransitionTime = held?.status === wanted.status ? held.lastTransitionTime : formatInstant(now);
  return [...withCondition(conditions, { ...wanted, lastTransitionTime })];
}

/** The controller names the namespace twice, and never the budget. */
function notDeletedEvent({ metadata }: PodDisruptionBudget, pod: Pod): EventDraft {
  const budget = `${metadata.namespace}/${metadata.namespace}`;
  const message = `Pod was expected by PDB ${budget} to be deleted but it wasn't`;
  return eventOnPod(pod, 'Warning', 'NotDeleted', message);
}
