import { ANNOTATION, LABEL } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { controllerOf, isPodFinished } from '../../kubevirt/predicates.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { deletionField, hasEmptyDir, isLongDeleted, isMirrorPod } from './kubectl-filters.ts';
import {
  annotationField,
  controllerField,
  evicted,
  isDaemonSetPod,
  isOrphanOfDaemonSet,
  left,
  type Selection,
  type SelectionInput,
} from './selection.ts';

const DRAIN = 'cluster-api v1.10.1 internal/controllers/machine/drain';

const CAPI_MESSAGES = {
  orphan: 'evicting orphaned DaemonSet-managed Pod',
  daemonSet: 'ignoring DaemonSet-managed Pod',
  localStorage: 'evicting Pod with local storage',
  unmanaged: 'evicting Pod that has no controller',
} as const;

/**
 * What Cluster API does with a pod of the node whose Machine it deletes. It never refuses a node. MachineDrainRules, which
 * may order pods or leave some out, are not read.
 */
export const CAPI_SELECTION: Table<SelectionInput, Selection> = [
  {
    name: 'SkippedAsDeleted',
    asks: 'the node is unreachable and the pod has been terminating for more than a second',
    source: `${DRAIN}/filters.go`,
    when: ({ pod, facts }) => Boolean(facts.isNodeUnreachable) && isLongDeleted(pod, 1, facts.now),
    reads: ({ pod }) => [deletionField(pod)],
    then: () => left(),
  },
  {
    name: 'DaemonSetPod',
    asks: 'a DaemonSet controls the pod',
    source: `${DRAIN}/filters.go`,
    when: (input) => isDaemonSetPod(input.pod) && !isPodFinished(input.pod) && !isOrphanOfDaemonSet(input),
    reads: ({ pod }) => [controllerField(pod)],
    then: () => left(CAPI_MESSAGES.daemonSet),
  },
  {
    name: 'MirrorPod',
    asks: 'the pod mirrors a static pod',
    source: `${DRAIN}/filters.go`,
    when: ({ pod }) => isMirrorPod(pod),
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.mirror)],
    then: () => left(),
  },
  {
    name: 'LabelledSkip',
    asks: 'the pod is labelled to be left alone',
    source: `${DRAIN}/filters.go`,
    when: ({ pod }) => pod.metadata.labels?.[LABEL.capiDrain] === 'skip',
    reads: readLabel,
    then: () => left(),
  },
  {
    name: 'LabelledWaitCompleted',
    asks: 'the pod is labelled to be waited for',
    source: `${DRAIN}/filters.go`,
    when: ({ pod }) => pod.metadata.labels?.[LABEL.capiDrain] === 'wait-completed',
    reads: readLabel,
    then: () => ({ ...left(), waits: true }),
  },
  {
    name: 'TerminatingPod',
    asks: 'the pod is being deleted already',
    source: `${DRAIN}/drain.go`,
    when: ({ pod }) => pod.metadata.deletionTimestamp !== undefined,
    reads: ({ pod }) => [deletionField(pod)],
    then: () => ({ ...left(), waits: true }),
  },
  {
    name: 'Selected',
    asks: 'nothing of that',
    source: `${DRAIN}/drain.go`,
    when: () => true,
    reads: ({ pod }) => [controllerField(pod)],
    then: (input) => evicted(warningsOf(input).join(', ')),
  },
];

function readLabel({ pod }: SelectionInput): Evidence[] {
  return [podField(pod, `metadata.labels[${LABEL.capiDrain}]`, pod.metadata.labels?.[LABEL.capiDrain])];
}

function warningsOf(input: SelectionInput): string[] {
  const { pod } = input;
  if (isPodFinished(pod)) return [];
  return [
    ...(isOrphanOfDaemonSet(input) ? [CAPI_MESSAGES.orphan] : []),
    ...(hasEmptyDir(pod) ? [CAPI_MESSAGES.localStorage] : []),
    ...(isWithoutController(pod) ? [CAPI_MESSAGES.unmanaged] : []),
  ];
}

function isWithoutController(pod: Pod): boolean {
  return controllerOf(pod.metadata) === undefined;
}
