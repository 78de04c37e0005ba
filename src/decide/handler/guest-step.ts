/** What virt-handler does next about the guest of a VMI. vm-lifecycle §3, §4 of the spec; kubevirt v1.9.0 pkg/virt-handler/vm.go. */
import { CONDITION } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { isConditionTrue, isFinal, isRunning } from '../../kubevirt/predicates.ts';
import { podField, vmiField } from '../evidence.ts';
import type { Evidence, Rule, Table } from '../rules.ts';

/** What virt-handler of one node sees of a VMI. */
export interface GuestSight {
  readonly node: string;
  readonly vmi: Vmi;
  /** The launcher pod of the VMI on this node. */
  readonly pod: Pod | undefined;
}

/** `Boot`: starts the guest. `Stop`: has it end. `Run`: lets it run. */
export type GuestStep = 'None' | 'Boot' | 'Stop' | 'Run';

const HANDLER = 'kubevirt v1.9.0 pkg/virt-handler/vm.go';

function isLeaving(object: { metadata: { deletionTimestamp?: string | undefined } } | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}

function deletionFields({ vmi, pod }: GuestSight): Evidence[] {
  const ofVmi = vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp);
  return pod ? [ofVmi, podField(pod, 'metadata.deletionTimestamp', pod.metadata.deletionTimestamp)] : [ofVmi];
}

function step(
  name: string,
  asks: string,
  result: GuestStep,
  when: (sight: GuestSight) => boolean,
  reads: Rule<GuestSight, GuestStep>['reads'] = ({ vmi }) => [
    vmiField(vmi, 'status.phase', vmi.status?.phase),
  ],
): Rule<GuestSight, GuestStep> {
  return { name, asks, source: `${HANDLER}:2319-2390`, when, reads, then: () => result };
}

export const guestStepTable: Table<GuestSight, GuestStep> = [
  step(
    'ElsewhereOrNowhere',
    'the VMI is not on this node',
    'None',
    ({ vmi, node }) => vmi.status?.nodeName !== node,
    ({ vmi }) => [vmiField(vmi, 'status.nodeName', vmi.status?.nodeName)],
  ),
  step('Ended', 'the VMI is final', 'None', ({ vmi }) => isFinal(vmi)),
  step(
    'Leaving',
    'the guest runs, and the VMI or its launcher pod is being deleted',
    'Stop',
    ({ vmi, pod }) => isRunning(vmi) && (isLeaving(vmi) || isLeaving(pod)),
    deletionFields,
  ),
  step('Runs', 'the guest runs', 'Run', ({ vmi }) => isRunning(vmi)),
  step(
    'LeavingBeforeItRan',
    'the VMI or its launcher pod is being deleted before the guest ran',
    'None',
    ({ vmi, pod }) => isLeaving(vmi) || isLeaving(pod),
    deletionFields,
  ),
  step(
    'HandedToHandler',
    'the VMI is Scheduled, and its launcher pod is ready',
    'Boot',
    ({ vmi, pod }) =>
      vmi.status?.phase === 'Scheduled' && isConditionTrue(pod?.status?.conditions, CONDITION.ready),
  ),
  step('NotYet', 'the launcher is not there yet', 'None', () => true),
];
