/** The condition Ready of a VMI. kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go (syncReadyConditionFromPod) */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition } from '../../kubevirt/objects.ts';
import { findCondition, isRunning } from '../../kubevirt/predicates.ts';
import { conditionField, podField } from '../evidence.ts';
import type { Rule, Table } from '../rules.ts';
import { isPodDownOrGoingDown } from './pod-state.ts';
import { phaseFields, podFields, type VmiSight } from './sight.ts';

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go (syncReadyConditionFromPod)';

function notReady(
  reason: string,
  asks: string,
  message: string,
  when: (sight: VmiSight) => boolean,
  reads: Rule<VmiSight, Condition>['reads'] = podFields,
): Rule<VmiSight, Condition> {
  const condition = { type: CONDITION.ready, status: 'False', reason, message };
  return { name: reason, asks, source: SOURCE, when, reads, then: () => condition };
}

function podReady({ pod }: VmiSight): Condition | undefined {
  return findCondition(pod?.status?.conditions, CONDITION.ready);
}

/** The condition, without the time of its change, which is now, or the pod's where it is the pod's. */
export const vmiReadyTable: Table<VmiSight, Condition> = [
  notReady(
    'PodNotExists',
    'there is no pod',
    'virt-launcher pod has not yet been scheduled',
    ({ pod }) => pod === undefined,
    phaseFields,
  ),
  notReady(
    'PodTerminating',
    'the pod has ended or is being deleted',
    'virt-launcher pod is terminating',
    ({ pod }) => pod !== undefined && isPodDownOrGoingDown(pod),
  ),
  notReady(
    'GuestNotRunning',
    'the guest does not run',
    'Guest VM is not reported as running',
    ({ vmi }) => !isRunning(vmi),
    phaseFields,
  ),
  {
    name: 'AsItsPod',
    asks: 'the guest runs, and the pod says whether it is ready',
    source: SOURCE,
    when: (sight) => podReady(sight) !== undefined,
    reads: ({ pod }) => (pod ? [conditionField(pod, CONDITION.ready, 'Pod')] : []),
    then: (sight) => {
      const { status = 'Unknown', reason, message, lastTransitionTime } = podReady(sight) ?? {};
      return { type: CONDITION.ready, status, reason, message, lastTransitionTime };
    },
  },
  notReady(
    'PodConditionMissing',
    'the pod does not say whether it is ready',
    'virt-launcher pod is missing the Ready condition',
    () => true,
    ({ pod }) => (pod ? [podField(pod, 'status.conditions', pod.status?.conditions)] : []),
  ),
];
