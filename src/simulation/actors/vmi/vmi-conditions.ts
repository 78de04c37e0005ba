import { decide } from '../../../decide/rules.ts';
import { withCondition, withOrWithout, withoutCondition } from '../../../decide/vmi/conditions.ts';
import { withLiveChanges } from '../../../decide/vmi/live-changes.ts';
import { vmiReadyTable } from '../../../decide/vmi/ready.ts';
import { CONDITION } from '../../../kubevirt/names.ts';
import type { Condition, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { findCondition, isMarked, isRunning } from '../../../kubevirt/predicates.ts';
import { formatInstant } from '../../../kubevirt/time.ts';
import { isHandedOver, type VmiNews } from './vmi-news.ts';

/** The conditions as virt-controller keeps them; the same list where none changes. */
export function conditionsOf(vmi: Vmi, news: VmiNews): readonly Condition[] {
  const held = vmi.status?.conditions ?? [];
  const { pod, now, failure } = news;
  const at = formatInstant(now);
  const told = decide(vmiReadyTable, { vmi, pod }).result;
  const ready = { ...told, lastTransitionTime: told.lastTransitionTime ?? at };
  const evicted = isMarked(vmi) ? { ...EVICTION_REQUESTED, lastTransitionTime: at } : undefined;
  const known = withOrWithout(withCondition(held, ready), CONDITION.evictionRequested, evicted);
  if (isRunning(vmi) && pod) return dated(known, withLiveChanges(known, vmi, now), at);
  if (isHandedOver(vmi.status?.phase)) return known;
  const synchronized = failure && {
    type: CONDITION.synchronized,
    status: 'False',
    lastTransitionTime: at,
    ...failure,
  };
  const scheduled = vmi.status?.phase === 'Scheduling' ? withPodScheduled(known, pod) : known;
  return withOrWithout(scheduled, CONDITION.synchronized, synchronized);
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

/** When a network change was seen is what its haste is measured by. */
function dated(before: readonly Condition[], after: readonly Condition[], at: string): readonly Condition[] {
  if (after === before) return before;
  return after.map((condition) =>
    condition.type === CONDITION.migrationRequired && !before.includes(condition)
      ? { ...condition, lastTransitionTime: at }
      : condition,
  );
}
