import { CONDITION } from '../../kubevirt/names.ts';
import { counted } from '../../kubevirt/words.ts';
import { conditionField, field } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { type BudgetAnswer, refusalBy } from './answer.ts';
import { isPodReady } from './controller.ts';
import { isOwnBudget } from './own-budget.ts';
import type { BudgetStanding } from './standing.ts';

const EVICTION = 'kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go';
const DISRUPTION = 'kubernetes v1.36 pkg/controller/disruption/disruption.go';

/** What the one budget that selects a running pod says to its eviction. */
export const oneBudgetTable: Table<BudgetStanding, BudgetAnswer> = [
  {
    name: 'UnhealthyPodEvictable',
    asks: 'the pod is not ready, so that the budget loses nothing by its eviction',
    source: EVICTION,
    when: (standing) => !isPodReady(standing.pod) && sparesUnhealthy(standing),
    reads: readsReadiness,
    then: ({ budget, pod }) => ({
      kind: 'Evictable',
      message: `disruption budget "${budget.metadata.name}" lets go of pod ${pod.metadata.name}, which is not ready`,
    }),
  },
  {
    name: 'ExpectedPodsUnknown',
    asks: 'the budget is no integer minAvailable, and the owner of a selected pod has no scale to count by',
    source: DISRUPTION,
    when: ({ trouble }) => trouble?.kind === 'failed',
    reads: readsBudget,
    then: (standing) =>
      refused(
        'RefusedForEver',
        standing,
        `sets ${askedBy(standing)}, which never allows an eviction here: launcher pods are owned by a VirtualMachineInstance, and that has no scale`,
      ),
  },
  {
    name: 'ScaleUnknown',
    asks: 'the numbers depend on the scale of a controller that is not known here',
    source: DISRUPTION,
    when: ({ trouble }) => trouble?.kind === 'unknown',
    reads: readsBudget,
    then: ({ budget, trouble }) => {
      const missing = trouble?.kind === 'unknown' ? trouble.missing : '';
      const message = `disruption budget "${budget.metadata.name}" has no usable status, and its numbers depend on ${missing}`;
      return { kind: 'Unknown', message, missing };
    },
  },
  {
    name: 'BudgetAllows',
    asks: 'the budget allows an eviction now',
    source: EVICTION,
    when: ({ count }) => count.disruptionsAllowed > 0,
    reads: readsBudget,
    then: ({ budget, count }) => {
      const { disruptionsAllowed } = count;
      const { name } = budget.metadata;
      const message = `disruption budget "${name}" allows ${counted(disruptionsAllowed, 'eviction')} now`;
      return { kind: 'Evictable', message, budget: name, disruptionsAllowed };
    },
  },
  {
    name: 'OwnBudget',
    asks: 'the budget is the one that KubeVirt makes for the VMI, which guards the pod until the VMI has moved',
    source: 'kubevirt v1.5 pkg/virt-controller/watch/drain/disruptionbudget/disruptionbudget.go',
    when: ({ budget }) => isOwnBudget(budget),
    reads: readsBudget,
    then: (standing) =>
      refused('RefusedNow', standing, "is KubeVirt's own and guards the pod until the VMI has moved away"),
  },
  {
    name: 'NothingExpected',
    asks: 'the budget expects no pods, so that it allows nothing',
    source: DISRUPTION,
    when: ({ count }) => count.expectedPods <= 0,
    reads: readsBudget,
    then: (standing) =>
      refused('RefusedForEver', standing, 'expects no pods and so never allows an eviction'),
  },
  {
    name: 'NoneToSpare',
    asks: 'even with every selected pod healthy there is none to spare',
    source: DISRUPTION,
    when: ({ count, most }) => count.desiredHealthy >= most,
    reads: readsBudget,
    then: (standing) => {
      const { count, most } = standing;
      return refused(
        'RefusedForEver',
        standing,
        `wants ${count.desiredHealthy} healthy of the ${counted(most, 'pod')} that it selects, so there is never one to spare`,
      );
    },
  },
  {
    name: 'WaitsForHealthyPod',
    asks: 'too few of the selected pods are healthy at this moment',
    source: DISRUPTION,
    when: () => true,
    reads: readsBudget,
    then: (standing) => {
      const { desiredHealthy, currentHealthy } = standing.count;
      return refused(
        'RefusedNow',
        standing,
        `wants ${counted(desiredHealthy, 'healthy pod')} and has ${currentHealthy}: the next eviction waits until one more of the ${standing.most} that it selects is healthy`,
      );
    },
  },
];

/** Of policy/v1; by default only while the healthy pods are enough without it. */
function sparesUnhealthy({ budget, count, trouble }: BudgetStanding): boolean {
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return !trouble && count.desiredHealthy > 0 && count.currentHealthy >= count.desiredHealthy;
}

/** `says` goes on where the budget's name ends. */
function refused(
  kind: 'RefusedNow' | 'RefusedForEver',
  { budget, count }: BudgetStanding,
  says: string,
): BudgetAnswer {
  const { name } = budget.metadata;
  const message = `disruption budget "${name}" ${says}`;
  return { kind, message, budget: name, refusal: refusalBy(budget, count) };
}

function askedBy({ budget }: BudgetStanding): string {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  return maxUnavailable === undefined ? `minAvailable ${minAvailable}` : `maxUnavailable ${maxUnavailable}`;
}

function readsBudget({ budget }: BudgetStanding): Evidence[] {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const kind = 'PodDisruptionBudget';
  return [
    maxUnavailable === undefined
      ? field(budget, 'spec.minAvailable', minAvailable, kind)
      : field(budget, 'spec.maxUnavailable', maxUnavailable, kind),
    field(budget, 'status.disruptionsAllowed', budget.status?.disruptionsAllowed, kind),
  ];
}

function readsReadiness(standing: BudgetStanding): Evidence[] {
  const { budget, pod } = standing;
  const policy = budget.spec?.unhealthyPodEvictionPolicy;
  return [
    ...readsBudget(standing),
    field(budget, 'spec.unhealthyPodEvictionPolicy', policy, 'PodDisruptionBudget'),
    conditionField(pod, CONDITION.ready, 'Pod'),
  ];
}
