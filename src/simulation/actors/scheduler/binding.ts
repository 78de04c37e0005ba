/** What the scheduler makes of a pod; whoever else writes to it keeps what is his. */
import { CONDITION } from '../../../kubevirt/names.ts';
import type { Condition, Pod } from '../../../kubevirt/objects.ts';
import { findCondition } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';

/** On its node; one that has a node stays as it is. */
export function bound(pod: Pod, nodeName: string): Pod | undefined {
  return pod.spec?.nodeName ? undefined : { ...pod, spec: extended(pod.spec ?? {}, { nodeName }) };
}

export function markedScheduled(pod: Pod, now: Instant): Pod | undefined {
  return withCondition(pod, { type: CONDITION.podScheduled, status: 'True' }, now);
}

export function markedUnschedulable(pod: Pod, message: string, now: Instant): Pod | undefined {
  if (pod.spec?.nodeName) return undefined;
  const condition = { type: CONDITION.podScheduled, status: 'False', reason: 'Unschedulable', message };
  return withCondition(pod, condition, now);
}

/** The time of a condition is when its status changed last. */
function withCondition(pod: Pod, wanted: Condition, now: Instant): Pod | undefined {
  const conditions = pod.status?.conditions ?? [];
  const held = findCondition(conditions, wanted.type);
  const isSame = held?.reason === wanted.reason && held?.message === wanted.message;
  if (held?.status === wanted.status && isSame) return undefined;
  const lastTransitionTime = held?.status === wanted.status ? held.lastTransitionTime : formatInstant(now);
  const made = extended(wanted, { lastTransitionTime });
  const others = conditions.filter(({ type }) => type !== wanted.type);
  return { ...pod, status: extended(pod.status ?? {}, { conditions: [made, ...others] }) };
}
