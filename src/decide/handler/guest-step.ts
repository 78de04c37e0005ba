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

type StepRule = Rule<GuestSight, GuestStep>;

interface StepRow extends Pick<StepRule, 'name' | 'asks' | 'when'>, Partial<Pick<StepRule, 'reads'>> {
  readonly does: GuestStep;
}

function step({ does, reads = phaseField, ...row }: StepRow): StepRule {
  return { ...row, source: `${HANDLER}:2319-2390`, reads, then: () => does };
}

function phaseField({ vmi }: GuestSight): Evidence[] {
  return [vmiField(vmi, 'status.phase', vmi.status?.phase)];
}

export const guestStepTable: Table<GuestSight, GuestStep> = [
  step({
    name: 'ElsewhereOrNowhere',
    asks: 'the VMI is not on this node',
    does: 'None',
    when: ({ vmi, node }) => vmi.status?.nodeName !== node,
    reads: ({ vmi }) => [vmiField(vmi, 'status.nodeName', vmi.status?.nodeName)],
  }),
  step({ name: 'Ended', asks: 'the VMI is final', does: 'None', when: ({ vmi }) => isFinal(vmi) }),
  step({
    name: 'Leaving',
    asks: 'the guest runs, and the VMI or its launcher pod is being deleted',
    does: 'Stop',
    when: ({ vmi, pod }) => isRunning(vmi) && (isLeaving(vmi) || isLeaving(pod)),
    reads: deletionFields,
  }),
  step({ name: 'Runs', asks: 'the guest runs', does: 'Run', when: ({ vmi }) => isRunning(vmi) }),
  step({
    name: 'LeavingBeforeItRan',
    asks: 'the VMI or its launcher pod is being deleted before the guest ran',
    does: 'None',
    when: ({ vmi, pod }) => isLeaving(vmi) || isLeaving(pod),
    reads: deletionFields,
  }),
  step({
    name: 'HandedToHandler',
    asks: 'the VMI is Scheduled, and its launcher pod is ready',
    does: 'Boot',
    when: ({ vmi, pod }) =>
      vmi.status?.phase === 'Scheduled' && isConditionTrue(pod?.status?.conditions, CONDITION.ready),
  }),
  step({ name: 'NotYet', asks: 'the launcher is not there yet', does: 'None', when: () => true }),
];
