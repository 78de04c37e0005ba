import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Rule, Table } from '../rules.ts';
import { capkBackportTable } from './capk-backport.ts';
import {
  CAPK_AGAIN,
  type CapkInput,
  type CapkStep,
  freshGrace,
  isGraceOver,
  isToBeDrained,
  present,
  readAnnotation,
  readMark,
} from './capk-drain.ts';

const MACHINE = 'cluster-api-provider-kubevirt v0.1.10 pkg/kubevirt/machine.go:414-588';
const GRACE = ANNOTATION.capkDeletionGraceTime;

/** It looks for a node of the guest cluster by the name of a node of the infra cluster, and so hardly ever finds one. */
function lookedUp(input: CapkInput): 'missing' | 'drained' | 'not-drained' {
  return input.drainOf(nodeMarked(input));
}

function nodeMarked({ vmi }: CapkInput): string {
  return vmi?.status?.evacuationNodeName ?? '';
}

const deleteVmi = ({ machine }: CapkInput): CapkStep => ({
  step: 'delete-vmi',
  againSeconds: CAPK_AGAIN.afterDelete,
  removes: present(machine, [GRACE]),
});

const exactTable: Table<CapkInput, CapkStep> = [
  {
    name: 'NotMarked',
    asks: 'the VMI is not marked, not External, on its way out or gone',
    source: MACHINE,
    when: ({ vmi }) => !isToBeDrained(vmi),
    reads: readMark,
    then: ({ machine }) => ({ step: 'nothing', removes: present(machine, [GRACE]) }),
  },
  {
    name: 'GraceOver',
    asks: "the time for draining the guest's node is over",
    source: MACHINE,
    when: isGraceOver,
    reads: (input) => [readAnnotation(input, GRACE)],
    then: deleteVmi,
  },
  {
    name: 'GuestNodeMissing',
    asks: 'the guest cluster has no node with the name of the node that is drained',
    source: MACHINE,
    when: (input) => lookedUp(input) === 'missing',
    reads: readMark,
    then: deleteVmi,
  },
  {
    name: 'GuestNodeNotDrained',
    asks: "the guest's node is not drained yet",
    source: MACHINE,
    when: (input) => lookedUp(input) === 'not-drained',
    reads: readMark,
    then: (input) => ({
      step: 'drain',
      node: nodeMarked(input),
      againSeconds: CAPK_AGAIN.drain,
      removes: [],
      ...freshGrace(input),
    }),
  },
  {
    name: 'GuestNodeDrained',
    asks: "the guest's node is drained",
    source: MACHINE,
    when: () => true,
    reads: readMark,
    then: deleteVmi,
  },
];

/**
 * v0.1.10. `exact` has its defects: the guest's node is looked up by the wrong name, so the VMI is deleted without a drain;
 * a VMI that could migrate is deleted all the same; a guest node that was drained stays cordoned. `intended` is what later
 * builds do.
 */
export const capkV0110Table: Table<CapkInput, CapkStep> = [
  ...exactTable.map(only('exact')),
  ...capkBackportTable.map(only('intended')),
];

function only(behavior: CapkInput['behavior']) {
  return (rule: Rule<CapkInput, CapkStep>): Rule<CapkInput, CapkStep> => ({
    ...rule,
    when: (input) => input.behavior === behavior && rule.when(input),
  });
}
