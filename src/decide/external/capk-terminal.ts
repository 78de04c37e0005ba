import { CONDITION, LABEL, RUN_STRATEGY } from '../../kubevirt/names.ts';
import type { ObjectMeta, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { isFinal, isMarked, isMigratable } from '../../kubevirt/predicates.ts';
import { conditionField, field, vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { resolveRunStrategy, runStrategyFields } from '../run-strategy/resolve.ts';

const MACHINE = 'cluster-api-provider-kubevirt v0.1.10 pkg/kubevirt/machine.go:116-173';

export interface CapkSubject {
  readonly vm: VirtualMachine | undefined;
  readonly vmi: Vmi | undefined;
}

/**
 * Whether CAPK gives a machine up, and the message that it puts beside failureReason `UpdateError` of the KubevirtMachine. It
 * never takes either back.
 */
export type CapkTerminal =
  | { readonly terminal: false }
  | { readonly terminal: true; readonly message: string };

export const TERMINAL_REASON = 'UpdateError';

const TERMINAL_MESSAGES = {
  marked: "The Machine's VM pod is marked for eviction due to infra node drain.",
  final: 'VMI has reached a permanent finalized state',
} as const;

const ALIVE: CapkTerminal = { terminal: false };

/**
 * capk-external §2.1 of the spec; the same in both builds. The strategy of the VMI is not asked: a VMI of any strategy that is
 * marked and cannot migrate is given up.
 */
export const capkTerminalTable: Table<CapkSubject, CapkTerminal> = [
  {
    name: 'NoVmYet',
    asks: 'there is no VM or no VMI',
    source: MACHINE,
    when: ({ vm, vmi }) => !vm || !vmi,
    reads: () => [],
    then: () => ALIVE,
  },
  {
    name: 'MarkedAndNotMigratable',
    asks: 'the VMI is marked for evacuation and cannot migrate',
    source: MACHINE,
    when: ({ vmi }) => vmi !== undefined && !isFinal(vmi) && !isMigratable(vmi) && isMarked(vmi),
    reads: ({ vmi }) =>
      vmi
        ? [
            vmiField(vmi, 'status.evacuationNodeName', vmi.status?.evacuationNodeName),
            conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance'),
          ]
        : [],
    then: () => ({ terminal: true, message: TERMINAL_MESSAGES.marked }),
  },
  labelled('VmLabelledTerminal', 'VM', ({ vm }) => vm, 'VirtualMachine'),
  labelled('VmiLabelledTerminal', 'VMI', ({ vmi }) => vmi, 'VirtualMachineInstance'),
  {
    name: 'StartsAgain',
    asks: 'the run strategy is Always or Manual',
    source: MACHINE,
    when: (subject) => strategyIn(subject, [RUN_STRATEGY.always, RUN_STRATEGY.manual]),
    reads: readStrategy,
    then: () => ALIVE,
  },
  {
    name: 'EndedForGood',
    asks: 'the run strategy is Halted or Once, and the VMI has ended',
    source: MACHINE,
    when: (subject) =>
      strategyIn(subject, [RUN_STRATEGY.halted, RUN_STRATEGY.once]) &&
      subject.vmi !== undefined &&
      isFinal(subject.vmi),
    reads: (subject) => [...readStrategy(subject), ...readPhase(subject)],
    then: () => ({ terminal: true, message: TERMINAL_MESSAGES.final }),
  },
  {
    name: 'SucceededForGood',
    asks: 'the run strategy is RerunOnFailure, and the VMI has succeeded',
    source: MACHINE,
    when: (subject) =>
      strategyIn(subject, [RUN_STRATEGY.rerunOnFailure]) && subject.vmi?.status?.phase === 'Succeeded',
    reads: (subject) => [...readStrategy(subject), ...readPhase(subject)],
    then: () => ({ terminal: true, message: TERMINAL_MESSAGES.final }),
  },
  {
    name: 'NotTerminal',
    asks: 'nothing of that',
    source: MACHINE,
    when: () => true,
    reads: (subject) => [...readStrategy(subject), ...readPhase(subject)],
    then: () => ALIVE,
  },
];

type Labelled = { readonly metadata: ObjectMeta };

function labelled(
  name: string,
  what: string,
  of: (subject: CapkSubject) => Labelled | undefined,
  kind: string,
): Table<CapkSubject, CapkTerminal>[number] {
  const label = LABEL.vmIsTerminal;
  const labelOf = (subject: CapkSubject) => of(subject)?.metadata.labels?.[label];
  return {
    name,
    asks: `the ${what} is labelled as terminal`,
    source: MACHINE,
    when: (subject) => labelOf(subject) !== undefined,
    reads: (subject) => {
      const object = of(subject);
      return object ? [field(object, `metadata.labels[${label}]`, labelOf(subject), kind)] : [];
    },
    then: (subject) => ({
      terminal: true,
      message: `${what}'s ${label} label has the vm marked as being terminal with reason [${labelOf(subject)}]`,
    }),
  };
}

function strategyIn({ vm }: CapkSubject, strategies: readonly string[]): boolean {
  return vm !== undefined && strategies.includes(resolveRunStrategy(vm).strategy);
}

function readStrategy({ vm }: CapkSubject): readonly Evidence[] {
  return vm ? runStrategyFields(vm) : [];
}

function readPhase({ vmi }: CapkSubject): Evidence[] {
  return vmi ? [vmiField(vmi, 'status.phase', vmi.status?.phase)] : [];
}
