/** The condition Ready of a VMI. kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go (syncReadyConditionFromPod) */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition } from '../../kubevirt/objects.ts';
import { findCondition, isRunning } from '../../kubevirt/predicates.ts';
import { conditionField, podField } from '../evidence.ts';
import type { Rule, Table } from '../rules.ts';
import { isPodDownOrGoingDown } from './pod-state.ts';
import { phaseFields, podFields, type VmiSight } from './sight.ts';

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go (syncReadyConditionFromPod)';

type ReadyRule = Rule<VmiSight, Condition>;

interface NotReadyRow extends Pick<ReadyRule, 'asks' | 'when'>, Partial<Pick<ReadyRule, 'reads'>> {
  readonly reason: string;
  readonly message: string;
}

function notReady({ reason, message, reads = podFields, ...row }: NotReadyRow): ReadyRule {
  const condition = { type: CONDITION.ready, status: 'False', reason, message };
  return { ...row, name: reason, source: SOURCE, reads, then: () => condition };
}

function podReady({ pod }: VmiSight): Condition | undefined {
  return findCondition(pod?.status?.conditions, CONDITION.ready);
}

/** The condition, without the time of its change, which is now, or the pod's where it is the pod's. */
export const vmiReadyTable: Table<VmiSight, Condition> = [
  notReady({
    reason: 'PodNotExists',
    asks: 'there is no pod',
    message: 'virt-launcher pod has not yet been scheduled',
    when: ({ pod }) => pod === undefined,
    reads: phaseFields,
  }),
  notReady({
    reason: 'PodTerminating',
    asks: 'the pod has ended or is being deleted',
    message: 'virt-launcher pod is terminating',
    when: ({ pod }) => pod !== undefined && isPodDownOrGoingDown(pod),
  }),
  notReady({
    reason: 'GuestNotRunning',
    asks: 'the guest does not run',
    message: 'Guest VM is not reported as running',
    when: ({ vmi }) => !isRunning(vmi),
    reads: phaseFields,
  }),
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
  notReady({
    reason: 'PodConditionMissing',
    asks: 'the pod does not say whether it is ready',
    message: 'virt-launcher pod is missing the Ready condition',
    when: () => true,
    reads: ({ pod }) => (pod ? [podField(pod, 'status.conditions', pod.status?.conditions)] : []),
  }),
];
