import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { controllerOf, isPodFinished } from '../../kubevirt/predicates.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import {
  annotationField,
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

const FILTERS = 'kubectl v0.37 pkg/drain/filters.go';

const KUBECTL_MESSAGES = {
  daemonSet: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
  daemonSetIgnored: 'ignoring DaemonSet-managed Pods',
  localStorage: 'Pods with local storage (use --delete-emptydir-data to override)',
  unmanaged: 'Pods that declare no controller (use --force to override)',
  unmanagedForced: 'deleting Pods that declare no controller',
} as const;

/**
 * What `kubectl drain` does with a pod: drains §1.2 of the spec. kubectl runs its filters until one says "do not delete",
 * and otherwise keeps what the last one said; so the warnings of earlier filters about pods that it does delete (orphans of
 * a DaemonSet, emptyDir data) are lost, and have no row.
 */
export const KUBECTL_SELECTION: Table<SelectionInput, Selection> = [
  {
    name: 'NotListed',
    asks: 'the pod selector leaves the pod out',
    source: 'kubectl v0.37 pkg/drain/drain.go',
    when: ({ client, pod }) => {
      const { podSelector } = client.flags;
      return podSelector !== undefined && !matchesSelector(podSelector, pod.metadata.labels);
    },
    reads: ({ pod }) => [podField(pod, 'metadata.labels', pod.metadata.labels)],
    then: () => left(),
  },
  {
    name: 'SkippedAsDeleted',
    asks: 'the pod has been terminating for longer than the client waits',
    source: FILTERS,
    when: ({ client, pod, facts }) =>
      isLongDeleted(pod, client.flags.skipWaitForDeleteTimeoutSeconds, facts.now),
    reads: ({ pod }) => [deletionField(pod)],
    then: () => left(),
  },
  {
    name: 'DaemonSetMissing',
    asks: 'a DaemonSet that is gone controls the pod, and there is no --force',
    source: FILTERS,
    when: (input) => !isPodFinished(input.pod) && isOrphanOfDaemonSet(input) && !input.client.flags.force,
    reads: ({ pod }) => [controllerField(pod)],
    then: ({ pod }) => refused(`daemonsets.apps "${controllerOf(pod.metadata)?.name}" not found`),
  },
  {
    name: 'DaemonSetPod',
    asks: 'a DaemonSet controls the pod, and there is no --ignore-daemonsets',
    source: FILTERS,
    when: (input) => isLiveDaemonSetPod(input) && !input.client.flags.ignoreDaemonSets,
    reads: ({ pod }) => [controllerField(pod), phaseField(pod)],
    then: () => refused(KUBECTL_MESSAGES.daemonSet),
  },
  {
    name: 'DaemonSetPodIgnored',
    asks: 'a DaemonSet controls the pod',
    source: FILTERS,
    when: isLiveDaemonSetPod,
    reads: ({ pod }) => [controllerField(pod), phaseField(pod)],
    then: () => left(KUBECTL_MESSAGES.daemonSetIgnored),
  },
  {
    name: 'MirrorPod',
    asks: 'the pod mirrors a static pod',
    source: FILTERS,
    when: ({ pod }) => isMirrorPod(pod),
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.mirror)],
    then: () => left(),
  },
  {
    name: 'LocalStorage',
    asks: 'the pod has emptyDir volumes, and there is no --delete-emptydir-data',
    source: FILTERS,
    when: ({ client, pod }) => hasEmptyDir(pod) && !isPodFinished(pod) && !client.flags.deleteEmptyDirData,
    reads: ({ pod }) => [emptyDirField(pod), phaseField(pod)],
    then: () => refused(KUBECTL_MESSAGES.localStorage),
  },
  {
    name: 'NoController',
    asks: 'no controller owns the pod, and there is no --force',
    source: FILTERS,
    when: ({ client, pod }) => isBare(pod) && !client.flags.force,
    reads: ({ pod }) => [controllerField(pod), phaseField(pod)],
    then: () => refused(KUBECTL_MESSAGES.unmanaged),
  },
  {
    name: 'NoControllerForced',
    asks: 'no controller owns the pod, and --force takes it',
    source: FILTERS,
    when: ({ pod }) => isBare(pod),
    reads: ({ pod }) => [controllerField(pod), phaseField(pod)],
    then: () => evicted(KUBECTL_MESSAGES.unmanagedForced),
  },
  {
    name: 'Selected',
    asks: 'no filter holds the pod back',
    source: FILTERS,
    when: () => true,
    reads: ({ pod }) => [controllerField(pod)],
    then: () => evicted(),
  },
];

/** The API server's picture of a static pod, which its kubelet runs whatever becomes of it. */
export function isMirrorPod(pod: Pod): boolean {
  return pod.metadata.annotations?.[ANNOTATION.mirror] !== undefined;
}

/** Has local storage: an `emptyDir`, in memory too. */
export function hasEmptyDir(pod: Pod): boolean {
  return (pod.spec?.volumes ?? []).some(({ emptyDir }) => emptyDir !== undefined);
}

/** Whole seconds since the deletion time (which includes the grace period), more than the limit; 0 is no limit. */
export function isLongDeleted(pod: Pod, limitSeconds: number, now: Instant): boolean {
  const deletedAt = parseInstant(pod.metadata.deletionTimestamp);
  return limitSeconds > 0 && deletedAt !== undefined && Math.trunc((now - deletedAt) / 1000) > limitSeconds;
}

export function deletionField(pod: Pod): Evidence {
  return podField(pod, 'metadata.deletionTimestamp', pod.metadata.deletionTimestamp);
}

function isLiveDaemonSetPod(input: SelectionInput): boolean {
  return isDaemonSetPod(input.pod) && !isPodFinished(input.pod) && !isOrphanOfDaemonSet(input);
}

function isBare(pod: Pod): boolean {
  return !isPodFinished(pod) && controllerOf(pod.metadata) === undefined;
}

function emptyDirField(pod: Pod): Evidence {
  const names = (pod.spec?.volumes ?? []).filter(({ emptyDir }) => emptyDir).map(({ name }) => name);
  return podField(pod, 'spec.volumes[emptyDir]', names);
}
