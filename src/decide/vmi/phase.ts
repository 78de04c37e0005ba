/** The phases of a VMI that virt-controller decides. vm-lifecycle §3 of the spec; kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:430-523. */
import type { Vmi } from '../../kubevirt/objects.ts';
import { isFinal } from '../../kubevirt/predicates.ts';
import { vmiField } from '../evidence.ts';
import type { Rule, Table } from '../rules.ts';
import { isLauncherReady, isPodDownOrGoingDown } from './pod-state.ts';
import { phaseFields, podFields, type VmiSight } from './sight.ts';

const UNPROCESSED: ReadonlySet<string> = new Set(['', 'Pending']);
const HANDED_OVER: ReadonlySet<string> = new Set(['Scheduled', 'Running']);

function phaseOf({ vmi }: VmiSight): string {
  return vmi.status?.phase ?? '';
}

/** Nobody has made a pod for it yet. */
export function isUnprocessed(vmi: Vmi): boolean {
  return UNPROCESSED.has(vmi.status?.phase ?? '');
}

function isLeaving({ vmi }: VmiSight): boolean {
  return vmi.metadata.deletionTimestamp !== undefined;
}

type PhaseRule = Rule<VmiSight, string>;

interface PhaseRow extends Omit<PhaseRule, 'source' | 'reads'>, Partial<Pick<PhaseRule, 'reads'>> {
  readonly lines: string;
}

function rule({ lines, reads = podFields, ...row }: PhaseRow): PhaseRule {
  return { ...row, source: `kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:${lines}`, reads };
}

/**
 * The phase that follows.
 *
 * Promise: a final VMI stays as it is; Running and the ends of guests are virt-handler's to say, but for a VMI whose pod is gone.
 */
export const vmiPhaseTable: Table<VmiSight, string> = [
  rule({
    name: 'Final',
    asks: 'the VMI has ended',
    lines: '456-480',
    when: ({ vmi }) => isFinal(vmi),
    then: phaseOf,
    reads: phaseFields,
  }),
  rule({
    name: 'PodExists',
    asks: 'the VMI waited for its pod, and it is there',
    lines: '380-430',
    when: ({ vmi, pod }) => isUnprocessed(vmi) && pod !== undefined,
    then: () => 'Scheduling',
  }),
  rule({
    name: 'DeletedBeforeItsPod',
    asks: 'the VMI is deleted before it had a pod',
    lines: '380-430',
    when: (sight) => isUnprocessed(sight.vmi) && isLeaving(sight),
    then: () => 'Failed',
    reads: ({ vmi }) => [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)],
  }),
  rule({
    name: 'WaitsForPod',
    asks: 'the VMI has no pod yet',
    lines: '380-430',
    when: ({ vmi }) => isUnprocessed(vmi),
    then: () => 'Pending',
  }),
  rule({
    name: 'PodMissing',
    asks: 'the VMI had a pod, and it is gone',
    lines: '430-453,480-484,511-523',
    when: (sight) =>
      sight.pod === undefined && (phaseOf(sight) === 'Scheduling' || HANDED_OVER.has(phaseOf(sight))),
    then: () => 'Failed',
  }),
  rule({
    name: 'PodReady',
    asks: 'the pod is ready for the guest, and the VMI is to stay',
    lines: '430-453',
    when: (sight) =>
      phaseOf(sight) === 'Scheduling' &&
      !isLeaving(sight) &&
      sight.pod !== undefined &&
      isLauncherReady(sight.pod),
    then: () => 'Scheduled',
  }),
  rule({
    name: 'PodDown',
    asks: 'the pod has ended, or is about to, before the guest was handed over',
    lines: '430-453',
    when: (sight) =>
      phaseOf(sight) === 'Scheduling' && sight.pod !== undefined && isPodDownOrGoingDown(sight.pod),
    then: () => 'Failed',
  }),
  rule({
    name: 'Unchanged',
    asks: 'nothing calls for another phase',
    lines: '430-523',
    when: () => true,
    then: phaseOf,
  }),
];
