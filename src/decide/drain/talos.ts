import { ANNOTATION } from '../../kubevirt/names.ts';
import { controllerOf } from '../../kubevirt/predicates.ts';
import type { Table } from '../rules.ts';
import { deletionField, isMirrorPod } from './kubectl-filters.ts';
import {
  annotationField,
  controllerField,
  evicted,
  isDaemonSetPod,
  left,
  type Selection,
  type SelectionInput,
} from './selection.ts';

const DRAIN = 'talos v1.13.0 pkg/kubernetes/kubernetes.go';

/** What Talos does, in the node itself, with a pod when it upgrades, shuts down or resets: drains §2.1 of the spec. */
export const TALOS_SELECTION: Table<SelectionInput, Selection> = [
  {
    name: 'MirrorPod',
    asks: 'the pod mirrors a static pod',
    source: DRAIN,
    when: ({ pod }) => isMirrorPod(pod),
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.mirror)],
    then: () => left(),
  },
  {
    name: 'NoController',
    asks: 'no controller owns the pod',
    source: DRAIN,
    when: ({ pod }) => controllerOf(pod.metadata) === undefined,
    reads: ({ pod }) => [controllerField(pod)],
    then: () => left(),
  },
  {
    name: 'DaemonSetPod',
    asks: 'a DaemonSet controls the pod',
    source: DRAIN,
    when: ({ pod }) => isDaemonSetPod(pod),
    reads: ({ pod }) => [controllerField(pod)],
    then: () => left(),
  },
  {
    name: 'TerminatingPod',
    asks: 'the pod is being deleted: Talos logs that it passes it over, and evicts it all the same',
    source: DRAIN,
    when: ({ pod }) => pod.metadata.deletionTimestamp !== undefined,
    reads: ({ pod }) => [deletionField(pod)],
    then: () => evicted(),
  },
  {
    name: 'Selected',
    asks: 'nothing of that',
    source: DRAIN,
    when: () => true,
    reads: ({ pod }) => [controllerField(pod)],
    then: () => evicted(),
  },
];
