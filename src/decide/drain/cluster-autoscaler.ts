import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { controllerOf, keyOf } from '../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { field, podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { deletionField, isMirrorPod } from './kubectl-filters.ts';
import {
  annotationField,
  budgetsOf,
  controllerField,
  evicted,
  isDaemonSetPod,
  isOrphanOfDaemonSet,
  left,
  phaseField,
  refused,
  type Selection,
  type SelectionInput,
} from './selection.ts';

const RULES = 'cluster-autoscaler v1.36.1 simulator/drainability/rules';

/**
 * What the cluster-autoscaler makes of a pod on a node that it would like to remove: drains §3 of the spec. A refusal
 * means that the node is never a candidate. With its default flags every running launcher refuses, by `NotReplicated`.
 * ReplicaSets and the like, which launchers do not have, are not looked up; they count as there and large enough.
 */
export const AUTOSCALER_SELECTION: Table<SelectionInput, Selection> = [
  {
    name: 'MirrorPod',
    asks: 'the pod mirrors a static pod',
    source: `${RULES}/mirror`,
    when: ({ pod }) => isMirrorPod(pod),
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.mirror)],
    then: () => left(),
  },
  {
    name: 'LongTerminating',
    asks: 'the pod has been terminating for 30 seconds more than it may take',
    source: `${RULES}/longterminating`,
    when: ({ pod, facts }) => isLongTerminating(pod, facts.now),
    reads: ({ pod }) => [deletionField(pod)],
    then: () => left(),
  },
  {
    name: 'ControllerNotFound',
    asks: 'a DaemonSet that is gone controls the pod, and custom controllers are not taken',
    source: `${RULES}/replicacount`,
    when: (input) => input.client.autoscaler.skipNodesWithCustomControllerPods && isOrphanOfDaemonSet(input),
    reads: ({ pod }) => [controllerField(pod)],
    then: ({ pod }) => refused(`daemonset for ${keyOf(pod)} is not present`),
  },
  {
    name: 'DaemonSetPod',
    asks: 'a DaemonSet controls the pod',
    source: `${RULES}/daemonset`,
    when: ({ pod }) => isDaemonSetPod(pod),
    reads: ({ pod }) => [controllerField(pod)],
    then: () => evicted(),
  },
  {
    name: 'SafeToEvict',
    asks: 'the pod is annotated as safe to evict',
    source: `${RULES}/safetoevict`,
    when: ({ pod }) => safeToEvict(pod) === 'true',
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.safeToEvict)],
    then: () => evicted(),
  },
  {
    name: 'TerminalPod',
    asks: 'the pod has ended for good',
    source: `${RULES}/terminal`,
    when: ({ pod }) => isTerminal(pod),
    reads: ({ pod }) => [phaseField(pod)],
    then: () => evicted(),
  },
  {
    name: 'SafeToEvictOnCompletion',
    asks: 'the pod is annotated to be waited for',
    source: `${RULES}/oncompletion`,
    when: ({ pod }) => safeToEvict(pod) === 'on-completion',
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.safeToEvict)],
    then: () => ({ ...left(), waits: true }),
  },
  {
    name: 'NotReplicated',
    asks: 'no controller, or none of the kinds that the autoscaler knows, would replace the pod',
    source: `${RULES}/replicated`,
    when: (input) => !isReplicated(input),
    reads: ({ pod }) => [controllerField(pod)],
    then: ({ pod }) => refused(`${keyOf(pod)} is not replicated`),
  },
  {
    name: 'UnmovableKubeSystemPod',
    asks: 'the pod belongs to kube-system and no budget selects it',
    source: `${RULES}/system`,
    when: (input) =>
      input.client.autoscaler.skipNodesWithSystemPods &&
      input.pod.metadata.namespace === 'kube-system' &&
      budgetsOf(input).length === 0,
    reads: ({ pod }) => [podField(pod, 'metadata.namespace', pod.metadata.namespace)],
    then: ({ pod }) =>
      refused(`non-daemonset, non-mirrored, non-pdb-assigned kube-system pod present: ${pod.metadata.name}`),
  },
  {
    name: 'NotSafeToEvictAnnotation',
    asks: 'the pod is annotated as not safe to evict',
    source: `${RULES}/notsafetoevict`,
    when: ({ pod }) => safeToEvict(pod) === 'false',
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.safeToEvict)],
    then: ({ pod }) => refused(`pod annotated as not safe to evict present: ${pod.metadata.name}`),
  },
  {
    name: 'LocalStorageRequested',
    asks: 'the pod has local volumes that no annotation gives away',
    source: `${RULES}/localstorage`,
    when: ({ client, pod }) => client.autoscaler.skipNodesWithLocalStorage && localVolumes(pod).length > 0,
    reads: ({ pod }) => [
      podField(pod, 'spec.volumes[local]', localVolumes(pod)),
      annotationField(pod, ANNOTATION.safeToEvictLocalVolumes),
    ],
    then: ({ pod }) => refused(`pod with local storage present: ${pod.metadata.name}`),
  },
  {
    name: 'NotEnoughPdb',
    asks: 'a budget that selects the pod allows no disruption now',
    source: `${RULES}/pdb`,
    when: (input) => exhausted(input).length > 0,
    reads: (input) => exhausted(input).map(allowedField),
    then: ({ pod }) => refused(`not enough pod disruption budget to move ${keyOf(pod)}`),
  },
  {
    name: 'Selected',
    asks: 'nothing holds the pod back',
    source: `${RULES}/rules.go`,
    when: () => true,
    reads: ({ pod }) => [controllerField(pod)],
    then: () => evicted(),
  },
];

const EXTRA_SECONDS = 30;

function isLongTerminating(pod: Pod, now: Instant): boolean {
  const deletedAt = parseInstant(pod.metadata.deletionTimestamp);
  const graceSeconds = pod.spec?.terminationGracePeriodSeconds ?? 30;
  return deletedAt !== undefined && deletedAt + (graceSeconds + EXTRA_SECONDS) * 1000 < now;
}

function safeToEvict(pod: Pod): string | undefined {
  return pod.metadata.annotations?.[ANNOTATION.safeToEvict];
}

/** A succeeded pod counts only where its restart policy keeps it down; launchers have `Never`. */
function isTerminal({ spec, status }: Pod): boolean {
  if (status?.phase === 'Failed') return true;
  return status?.phase === 'Succeeded' && ['Never', 'OnFailure'].includes(spec?.restartPolicy ?? 'Always');
}

const REPLICATING_KINDS = ['ReplicationController', 'Job', 'ReplicaSet', 'StatefulSet'];

function isReplicated({ client, pod }: SelectionInput): boolean {
  const owner = controllerOf(pod.metadata);
  if (!owner) return false;
  return !client.autoscaler.skipNodesWithCustomControllerPods || REPLICATING_KINDS.includes(owner.kind ?? '');
}

function localVolumes(pod: Pod): string[] {
  const given = (pod.metadata.annotations?.[ANNOTATION.safeToEvictLocalVolumes] ?? '').split(',');
  return (pod.spec?.volumes ?? [])
    .filter(({ emptyDir, hostPath }) => hostPath || (emptyDir && emptyDir.medium !== 'Memory'))
    .map(({ name }) => name)
    .filter((name) => !given.includes(name));
}

function exhausted(input: SelectionInput): PodDisruptionBudget[] {
  return budgetsOf(input).filter(({ status }) => (status?.disruptionsAllowed ?? 0) < 1);
}

function allowedField(budget: PodDisruptionBudget): Evidence {
  return field(budget, 'status.disruptionsAllowed', budget.status?.disruptionsAllowed, 'PodDisruptionBudget');
}
