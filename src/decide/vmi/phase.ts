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

function rule(
  name: string,
  asks: string,
  lines: string,
  when: (sight: VmiSight) => boolean,
  then: (sight: VmiSight) => string,
  reads: (sight: VmiSight) => ReturnType<typeof phaseFields> = podFields,
): Rule<VmiSight, string> {
  const source = `kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:${lines}`;
  return { name, asks, source, when, reads, then };
}

/**
 * The phase that follows.
 *
 * Promise: a final VMI stays as it is; Running and the ends of guests are virt-handler's to say, but for a VMI whose pod is gone.
 */
export const vmiPhaseTable: Table<VmiSight, string> = [
  rule('Final', 'the VMI has ended', '456-480', ({ vmi }) => isFinal(vmi), phaseOf, phaseFields),
  rule(
    'PodExists',
    'the VMI waited for its pod, and it is there',
    '380-430',
    ({ vmi, pod }) => isUnprocessed(vmi) && pod !== undefined,
    () => 'Scheduling',
  ),
  rule(
    'DeletedBeforeItsPod',
    'the VMI is deleted before it had a pod',
    '380-430',
    (sight) => isUnprocessed(sight.vmi) && isLeaving(sight),
    () => 'Failed',
    ({ vmi }) => [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)],
  ),
  rule(
    'WaitsForPod',
    'the VMI has no pod yet',
    '380-430',
    ({ vmi }) => isUnprocessed(vmi),
    () => 'Pending',
  ),
  rule(
    'PodMissing',
    'the VMI had a pod, and it is gone',
    '430-453,480-484,511-523',
    (sight) =>
      sight.pod === undefined && (phaseOf(sight) === 'Scheduling' || HANDED_OVER.has(phaseOf(sight))),
    () => 'Failed',
  ),
  rule(
    'PodReady',
    'the pod is ready for the guest, and the VMI is to stay',
    '430-453',
    (sight) =>
      phaseOf(sight) === 'Scheduling' &&
      !isLeaving(sight) &&
      sight.pod !== undefined &&
      isLauncherReady(sight.pod),
    () => 'Scheduled',
  ),
  rule(
    'PodDown',
    'the pod has ended, or is about to, before the guest was handed over',
    '430-453',
    (sight) => phaseOf(sight) === 'Scheduling' && sight.pod !== undefined && isPodDownOrGoingDown(sight.pod),
    () => 'Failed',
  ),
  rule('Unchanged', 'nothing calls for another phase', '430-523', () => true, phaseOf),
];
