import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import type { EvictorSettings } from './clients.ts';
import { deletionField, isMirrorPod } from './kubectl-filters.ts';
import {
  annotationField,
  budgetsOf,
  evicted,
  left,
  type Selection,
  type SelectionInput,
  type SelectionRule,
} from './selection.ts';

const EVICTOR = 'descheduler v0.36 pkg/framework/plugins/defaultevictor/defaultevictor.go';

/** From this priority on a pod is critical to the system (scheduling.SystemCriticalPriority). */
const SYSTEM_CRITICAL = 2_000_000_000;

/**
 * Whether the descheduler's default evictor lets a strategy have the pod: drains §4 of the spec. The evictor collects all
 * objections, so their order decides only which one is told; the annotation that asks for eviction comes before them all.
 * Which pods a strategy wants is not judged.
 */
export const DESCHEDULER_SELECTION: Table<SelectionInput, Selection> = [
  {
    name: 'EvictAnnotation',
    asks: 'the pod is annotated to be evicted whatever protects it',
    source: EVICTOR,
    when: ({ pod }) => pod.metadata.annotations?.[ANNOTATION.deschedulerEvict] !== undefined,
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.deschedulerEvict)],
    then: () => evicted(),
  },
  {
    name: 'NoEvictionAnnotation',
    asks: 'the pod is annotated to prefer no eviction, and the policy takes that as an order',
    source: EVICTOR,
    when: ({ client, pod }) =>
      client.evictor.noEvictionIsMandatory &&
      pod.metadata.annotations?.[ANNOTATION.deschedulerPreferNoEviction] !== undefined,
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.deschedulerPreferNoEviction)],
    then: () => left(),
  },
  objection({
    name: 'MirrorPod',
    message: 'pod is a mirror pod',
    when: ({ pod }) => isMirrorPod(pod),
    reads: ({ pod }) => annotationField(pod, ANNOTATION.mirror),
  }),
  objection({
    name: 'StaticPod',
    message: 'pod is a static pod',
    when: ({ pod }) => isStatic(pod),
    reads: ({ pod }) => annotationField(pod, ANNOTATION.configSource),
  }),
  objection({
    name: 'TerminatingPod',
    message: 'pod is terminating',
    when: ({ pod }) => pod.metadata.deletionTimestamp !== undefined,
    reads: ({ pod }) => deletionField(pod),
  }),
  protection({
    name: 'SystemCriticalPods',
    message: 'pod has system critical priority and is protected against eviction',
    setting: 'protectSystemCritical',
    when: ({ pod }) => priorityOf(pod) >= SYSTEM_CRITICAL,
    reads: ({ pod }) => podField(pod, 'spec.priority', pod.spec?.priority),
  }),
  protection({
    name: 'PriorityThreshold',
    message: 'pod has higher priority than specified priority class threshold',
    setting: 'protectSystemCritical',
    when: ({ client, pod }) =>
      priorityOf(pod) >= (client.evictor.priorityThreshold ?? Number.POSITIVE_INFINITY),
    reads: ({ pod }) => podField(pod, 'spec.priority', pod.spec?.priority),
  }),
  {
    ...objection({
      name: 'BarePod',
      message: 'pod does not have any ownerRefs',
      when: ({ client, pod }) =>
        isBare(pod) && (client.evictor.protectBarePods || pod.status?.phase !== 'Failed'),
      reads: ({ pod }) => podField(pod, 'metadata.ownerReferences', pod.metadata.ownerReferences),
    }),
    then: ({ client }) =>
      left(
        client.evictor.protectBarePods
          ? 'pod does not have any ownerRefs'
          : 'pod does not have any ownerRefs and is not in failed phase',
      ),
  },
  protection({
    name: 'PodsWithLocalStorage',
    message: 'pod has local storage and is protected against eviction',
    setting: 'protectLocalStorage',
    when: ({ pod }) => localVolumes(pod).length > 0,
    reads: ({ pod }) => podField(pod, 'spec.volumes[local]', localVolumes(pod)),
  }),
  protection({
    name: 'DaemonSetPods',
    message: 'daemonset pods are protected against eviction',
    setting: 'protectDaemonSets',
    when: ({ pod }) => ownerKinds(pod).includes('DaemonSet'),
    reads: ({ pod }) => podField(pod, 'metadata.ownerReferences[].kind', ownerKinds(pod)),
  }),
  protection({
    name: 'PodsWithPVC',
    message: 'pod with PVC is protected against eviction',
    setting: 'protectPvcs',
    when: ({ pod }) => claims(pod).length > 0,
    reads: ({ pod }) => podField(pod, 'spec.volumes[persistentVolumeClaim]', claims(pod)),
  }),
  protection({
    name: 'PodsWithoutPDB',
    message: 'pod does not have a PodDisruptionBudget and is protected against eviction',
    setting: 'protectPodsWithoutBudget',
    when: (input) => budgetsOf(input).length === 0,
    reads: ({ pod }) => podField(pod, 'metadata.labels', pod.metadata.labels),
  }),
  protection({
    name: 'FitsNowhereElse',
    message:
      'pod does not fit on any other node because of nodeSelector(s), Taint(s), or nodes marked as unschedulable',
    setting: 'nodeFit',
    when: ({ facts }) => facts.fitsElsewhere === false,
    reads: ({ pod }) => podField(pod, 'spec.nodeSelector', pod.spec?.nodeSelector),
  }),
  {
    name: 'Selected',
    asks: 'nothing protects the pod',
    source: EVICTOR,
    when: () => true,
    reads: ({ pod }) => [podField(pod, 'spec.volumes[local]', localVolumes(pod))],
    then: () => evicted(),
  },
];

interface ObjectionRow extends Pick<SelectionRule, 'name' | 'when'> {
  readonly message: string;
  readonly reads: (input: SelectionInput) => Evidence;
}

function objection({ name, message, when, reads }: ObjectionRow): SelectionRule {
  const then = (): Selection => left(message);
  return { name, asks: message, source: EVICTOR, when, reads: (input) => [reads(input)], then };
}

/** An objection that a setting turns on. */
function protection(row: ObjectionRow & { readonly setting: keyof EvictorSettings }): SelectionRule {
  const { setting, when } = row;
  return objection({ ...row, when: (input) => Boolean(input.client.evictor[setting]) && when(input) });
}

function isStatic(pod: Pod): boolean {
  const source = pod.metadata.annotations?.[ANNOTATION.configSource];
  return source !== undefined && source !== 'api';
}

function priorityOf(pod: Pod): number {
  return pod.spec?.priority ?? Number.NEGATIVE_INFINITY;
}

function ownerKinds(pod: Pod): string[] {
  return (pod.metadata.ownerReferences ?? []).map(({ kind }) => kind ?? '');
}

function isBare(pod: Pod): boolean {
  return ownerKinds(pod).length === 0;
}

function localVolumes(pod: Pod): string[] {
  const volumes = pod.spec?.volumes ?? [];
  return volumes.filter(({ emptyDir, hostPath }) => emptyDir ?? hostPath).map(({ name }) => name);
}

function claims(pod: Pod): string[] {
  return (pod.spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  );
}
