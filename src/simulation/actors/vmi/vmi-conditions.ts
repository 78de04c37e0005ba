import { resultOf } from '../../../decide/rules.ts';
import { withCondition, withOrWithout, withoutCondition } from '../../../decide/vmi/conditions.ts';
import { withLiveChanges } from '../../../decide/vmi/live-changes.ts';
import { vmiReadyTable } from '../../../decide/vmi/ready.ts';
import { CONDITION } from '../../../kubevirt/names.ts';
import type { Condition, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { findCondition, isMarked, isRunning } from '../../../kubevirt/predicates.ts';
import type { SyncFailure } from './pods.ts';
import { isHandedOver, type VmiNews } from './vmi-news.ts';

/** The conditions as virt-controller keeps them; the same list where none changes. */
export function conditionsOf(vmi: Vmi, news: VmiNews): readonly Condition[] {
  const held = vmi.status?.conditions ?? [];
  const { pod, now, failure } = news;
  const ready = withCondition(held, resultOf(vmiReadyTable, { vmi, pod }), now);
  const evicted = isMarked(vmi) ? EVICTION_REQUESTED : undefined;
  const known = withOrWithout(ready, CONDITION.evictionRequested, evicted, now);
  if (isRunning(vmi) && pod) return withLiveChanges(known, vmi, now);
  if (isHandedOver(vmi.status?.phase)) return known;
  const synchronized = failure && notSynchronized(held, failure);
  const scheduled = vmi.status?.phase === 'Scheduling' ? withPodScheduled(known, pod) : known;
  return withOrWithout(scheduled, CONDITION.synchronized, synchronized, now);
}

/** A failure of the same kind is told once: a text that differs each time would have the VMI tried again at once, for ever. */
function notSynchronized(held: readonly Condition[], failure: SyncFailure): Condition {
  const told = findCondition(held, CONDITION.synchronized);
  const isSame = told?.status === 'False' && told.reason === failure.reason;
  return isSame ? told : { type: CONDITION.synchronized, status: 'False', ...failure };
}

const EVICTION_REQUESTED = {
  type: CONDITION.evictionRequested,
  status: 'True',
  reason: 'EvictionRequested',
  message: 'VMI is marked for eviction',
};

/** Only that a pod finds no place is shown. */
function withPodScheduled(conditions: readonly Condition[], pod: Pod | undefined): readonly Condition[] {
  const ofPod = findCondition(pod?.status?.conditions, CONDITION.podScheduled);
  return ofPod?.status === 'False'
    ? withCondition(conditions, ofPod)
    : withoutCondition(conditions, CONDITION.podScheduled);
}
