/**
 * What the eviction or deletion of a launcher pod does to the guest in it (vm-lifecycle §4 of the spec), and what phase
 * the VMI takes from what becomes of its domain.
 */
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { isFinal, isRunning } from '../kubevirt/predicates.ts';
import { podField, vmiField } from './evidence.ts';
import type { Evidence, Table } from './rules.ts';

export const DEFAULT_GRACE_SECONDS = 30;
/** The launcher pod's own period is the guest's and this much for cleaning up (template.go:412-413). */
export const POD_EXTRA_SECONDS = 30;

/** One way in which a guest may end. */
export interface GuestEnd {
  /** The phase that its VMI takes. */
  readonly end: 'Succeeded' | 'Failed';
  /** `PowersOff`: it obeys the power button. `Destroyed`: virt-handler ends it. `Killed`: kubelet kills its process. */
  readonly how: 'PowersOff' | 'Destroyed' | 'Killed';
  /** At most so long after the pod's deletion began. */
  readonly withinSeconds: number;
}

/** The stop of a guest by the deletion of its pod. */
export interface GuestStop {
  readonly vmi: Vmi;
  /** The period that the caller of the eviction or deletion asks for instead of the pod's own; Talos asks for 60 s. */
  readonly podGraceSeconds?: number | undefined;
  readonly pod?: Pod | undefined;
}

/** How long the guest may take over its shutdown. */
export function guestGraceSeconds(vmi: Vmi): number {
  return vmi.spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
}

/**
 * When kubelet kills the pod: what the caller asked for, else what the pod says, else what KubeVirt gives its pods. A
 * negative wish means the pod's own, as in `kubectl drain --grace-period`.
 */
export function podGraceSeconds({ vmi, podGraceSeconds: asked, pod }: GuestStop): number {
  if (asked !== undefined && asked >= 0) return asked;
  return (
    pod?.metadata.deletionGracePeriodSeconds ??
    pod?.spec?.terminationGracePeriodSeconds ??
    guestGraceSeconds(vmi) + POD_EXTRA_SECONDS
  );
}

/** Whether the guest can be asked to shut down: ACPI is on unless the VMI turns it off (KubeVirt's defaulting). */
export function hasAcpi(vmi: Vmi): boolean {
  return vmi.spec?.domain?.features?.acpi?.enabled !== false;
}

function graceField(vmi: Vmi): Evidence {
  return vmiField(vmi, 'spec.terminationGracePeriodSeconds', vmi.spec?.terminationGracePeriodSeconds);
}

function acpiField(vmi: Vmi): Evidence {
  return vmiField(vmi, 'spec.domain.features.acpi.enabled', vmi.spec?.domain?.features?.acpi?.enabled);
}

function periodFields({ vmi, pod }: GuestStop): Evidence[] {
  if (!pod) return [graceField(vmi)];
  const period = pod.metadata.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds;
  return [graceField(vmi), podField(pod, 'spec.terminationGracePeriodSeconds', period)];
}

/** With equal periods kubelet comes first: virt-handler acts only once the guest's time has passed. */
function isPeriodTooShort(stop: GuestStop): boolean {
  return podGraceSeconds(stop) <= guestGraceSeconds(stop.vmi);
}

function killed(withinSeconds: number): GuestEnd {
  return { end: 'Failed', how: 'Killed', withinSeconds };
}

function powersOff(withinSeconds: number): GuestEnd {
  return { end: 'Succeeded', how: 'PowersOff', withinSeconds };
}

/**
 * The ways in which a guest may end when its launcher pod is evicted or deleted.
 *
 * Promise: at least one; several where it depends on the guest, the clean one first.
 */
export const guestEndTable: Table<GuestStop, readonly GuestEnd[]> = [
  {
    name: 'GuestHasEnded',
    asks: 'the VMI is final already',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2319-2390',
    when: ({ vmi }) => isFinal(vmi),
    reads: ({ vmi }) => [vmiField(vmi, 'status.phase', vmi.status?.phase)],
    then: ({ vmi }) => (vmi.status?.phase === 'Succeeded' ? [powersOff(0)] : [killed(0)]),
  },
  {
    name: 'GuestNotRunning',
    asks: 'the guest does not run yet: a VMI whose pod goes away before that fails',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:430-453,480-484',
    when: ({ vmi }) => !isRunning(vmi),
    reads: ({ vmi }) => [vmiField(vmi, 'status.phase', vmi.status?.phase)],
    then: () => [killed(0)],
  },
  {
    name: 'PodKilledAtOnce',
    asks: 'the pod gets no time at all',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2319-2390',
    when: (stop) => podGraceSeconds(stop) === 0,
    reads: periodFields,
    then: () => [killed(0)],
  },
  {
    name: 'NoGracePeriod',
    asks: 'the VMI gives its guest no time: it is destroyed at once, which counts as success',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2300-2317',
    when: ({ vmi }) => guestGraceSeconds(vmi) === 0,
    reads: ({ vmi }) => [graceField(vmi)],
    then: () => [{ end: 'Succeeded', how: 'Destroyed', withinSeconds: 0 }],
  },
  {
    name: 'NoAcpiAndPodPeriodTooShort',
    asks: 'the guest cannot be asked to shut down, and kubelet kills the pod before it would be destroyed',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2319-2390',
    when: (stop) => !hasAcpi(stop.vmi) && isPeriodTooShort(stop),
    reads: (stop) => [acpiField(stop.vmi), ...periodFields(stop)],
    then: (stop) => [killed(podGraceSeconds(stop))],
  },
  {
    name: 'NoAcpi',
    asks: 'the guest cannot be asked to shut down: it is destroyed in the end, which counts as success',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2300-2317',
    when: ({ vmi }) => !hasAcpi(vmi),
    reads: ({ vmi }) => [acpiField(vmi), graceField(vmi)],
    then: ({ vmi }) => [{ end: 'Succeeded', how: 'Destroyed', withinSeconds: guestGraceSeconds(vmi) }],
  },
  {
    name: 'PodPeriodTooShort',
    asks: 'kubelet kills the pod before the guest has had its time',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2319-2390',
    when: isPeriodTooShort,
    reads: periodFields,
    then: (stop) => [powersOff(podGraceSeconds(stop)), killed(podGraceSeconds(stop))],
  },
  {
    name: 'GuestDecides',
    asks: 'the guest is asked to shut down, and destroyed if it has not after its time',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2300-2390',
    when: () => true,
    reads: ({ vmi }) => [graceField(vmi), acpiField(vmi)],
    then: ({ vmi }) => [
      powersOff(guestGraceSeconds(vmi)),
      { end: 'Failed', how: 'Destroyed', withinSeconds: guestGraceSeconds(vmi) },
    ],
  },
];
