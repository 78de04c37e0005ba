import { CONDITION, RUN_STRATEGY } from '../../kubevirt/names.ts';
import { controllerOf, isConditionTrue } from '../../kubevirt/predicates.ts';
import { conditionField, vmField, vmiField } from '../evidence.ts';
import { narrowed } from '../narrowed.ts';
import type { Evidence, Rule, Table } from '../rules.ts';
import {
  type AfterEnd,
  doesObjectGo,
  isDeleted,
  isStartWaiting,
  isVolumeMigrationUnfinished,
  type OwnedEnd,
  ownerOfVmi,
  strategyOf,
  type VmiOwner,
} from './ended.ts';
import { requestsOf } from './requests.ts';
import { runStrategyFields } from './resolve.ts';

/** `Unknown`: whoever decides is not in the input. */
export type AfterEndResult = 'Restarts' | 'StaysOff' | 'Replaced' | 'Unknown';

const { always, halted, manual, once, rerunOnFailure, waitAsReceiver } = RUN_STRATEGY;

function ownerRule(
  owner: VmiOwner,
  name: string,
  result: AfterEndResult,
  asks: string,
): Rule<AfterEnd, AfterEndResult> {
  return {
    name,
    asks,
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (resolveControllerRef)',
    when: (input) => ownerOfVmi(input) === owner,
    reads: ({ vmi }) => [
      vmiField(vmi, 'metadata.ownerReferences[controller=true]', controllerOf(vmi.metadata)),
    ],
    then: () => result,
  };
}

const ownerRules: Table<AfterEnd, AfterEndResult> = [
  ownerRule('Nothing', 'NothingOwnsTheVmi', 'StaysOff', 'no controller owns the VMI'),
  ownerRule('ReplicaSet', 'ReplicaSetReplacesTheVmi', 'Replaced', 'a replica set or pool owns the VMI'),
  ownerRule('OtherController', 'ControllerUnknown', 'Unknown', 'a controller of another kind owns the VMI'),
  ownerRule(
    'MissingVirtualMachine',
    'VirtualMachineMissing',
    'Unknown',
    'the VM that owns the VMI is not in the input',
  ),
];

type OwnedRule = Rule<OwnedEnd, AfterEndResult>;

function strategyFields({ vm }: OwnedEnd): readonly Evidence[] {
  return runStrategyFields(vm);
}

function requestFields({ vm }: OwnedEnd): readonly Evidence[] {
  return [...runStrategyFields(vm), vmField(vm, 'status.stateChangeRequests', requestsOf(vm))];
}

/** The conditions that tell of a volume migration, beside the strategy that would have started the VM. */
function volumeFields({ vm, vmi }: OwnedEnd): readonly Evidence[] {
  return [
    ...runStrategyFields(vm),
    conditionField(vmi, CONDITION.volumesChange, 'VirtualMachineInstance'),
    vmiField(vmi, 'status.migratedVolumes', vmi.status?.migratedVolumes),
  ];
}

interface VmRow extends Pick<OwnedRule, 'name' | 'asks'>, Partial<Pick<OwnedRule, 'reads'>> {
  readonly result: AfterEndResult;
  readonly when: (input: OwnedEnd, strategy: string) => boolean;
}

function vmRule({ result, when, reads = strategyFields, ...row }: VmRow): OwnedRule {
  return {
    ...row,
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:970-1178',
    when: (input) => when(input, strategyOf(input)),
    reads,
    then: () => result,
  };
}

const stayOffRules: readonly OwnedRule[] = [
  vmRule({
    name: 'VirtualMachineDeleting',
    result: 'StaysOff',
    asks: 'the VM itself is being deleted',
    when: ({ vm }) => vm.metadata.deletionTimestamp !== undefined,
    reads: ({ vm }) => [vmField(vm, 'metadata.deletionTimestamp', vm.metadata.deletionTimestamp)],
  }),
  vmRule({
    name: 'RunStrategyInvalid',
    result: 'StaysOff',
    asks: 'the VM sets both running and runStrategy, or a strategy that KubeVirt does not know',
    when: (_, strategy) => !Object.values<string>(RUN_STRATEGY).includes(strategy),
  }),
  vmRule({
    name: 'RunStrategyWaitAsReceiver',
    result: 'StaysOff',
    asks: 'strategy WaitAsReceiver: nothing starts the guest here but a migration',
    when: (_, strategy) => strategy === waitAsReceiver,
  }),
  vmRule({
    name: 'RunStrategyHalted',
    result: 'StaysOff',
    asks: 'strategy Halted, and no start is requested',
    when: (input, strategy) => strategy === halted && !isStartWaiting(input),
    reads: requestFields,
  }),
  vmRule({
    name: 'RunStrategyManual',
    result: 'StaysOff',
    asks: 'strategy Manual, and no start is requested',
    when: (input, strategy) => strategy === manual && !isStartWaiting(input),
    reads: requestFields,
  }),
  vmRule({
    name: 'RunStrategyOnce',
    result: 'StaysOff',
    asks: 'strategy Once, and the ended VMI object stays',
    when: (input, strategy) => strategy === once && !doesObjectGo(input),
  }),
  vmRule({
    name: 'DeletionStaysOff',
    result: 'StaysOff',
    asks: 'strategy RerunOnFailure, and the VMI object is deleted, however the guest ends',
    when: (input, strategy) => strategy === rerunOnFailure && isDeleted(input) && !isStartWaiting(input),
    reads: requestFields,
  }),
  vmRule({
    name: 'CleanShutdownStaysOff',
    result: 'StaysOff',
    asks: 'strategy RerunOnFailure, and the guest shuts down cleanly',
    when: (input, strategy) =>
      strategy === rerunOnFailure && input.end === 'Succeeded' && !isStartWaiting(input),
    reads: requestFields,
  }),
  vmRule({
    name: 'ManualRecoveryRequired',
    result: 'StaysOff',
    asks: 'the VM needs manual recovery after a volume migration that was cut short',
    when: ({ vm }) => isConditionTrue(vm.status?.conditions, CONDITION.manualRecoveryRequired),
    reads: ({ vm }) => [conditionField(vm, CONDITION.manualRecoveryRequired, 'VirtualMachine')],
  }),
  vmRule({
    name: 'VolumeMigrationCutShort',
    result: 'StaysOff',
    asks: 'a volume migration is unfinished: the VM refuses to start until someone recovers it',
    when: isVolumeMigrationUnfinished,
    reads: volumeFields,
  }),
];

const restartRules: readonly OwnedRule[] = [
  vmRule({
    name: 'RunStrategyAlways',
    result: 'Restarts',
    asks: 'strategy Always',
    when: (_, strategy) => strategy === always,
  }),
  vmRule({
    name: 'OnceWithoutVmiStartsAgain',
    result: 'Restarts',
    asks: 'strategy Once, and the VMI object is deleted',
    when: (_, strategy) => strategy === once,
  }),
  vmRule({
    name: 'StartRequested',
    result: 'Restarts',
    asks: 'a start is requested, and waits for the VMI to be gone',
    when: isStartWaiting,
    reads: requestFields,
  }),
  vmRule({
    name: 'FailureRestarts',
    result: 'Restarts',
    asks: 'strategy RerunOnFailure, and the guest ends in failure',
    when: () => true,
  }),
];

function withVm(input: AfterEnd): OwnedEnd {
  if (!input.vm) throw new Error('a rule about VMs was asked about a VMI without one');
  return { ...input, vm: input.vm };
}

/**
 * What becomes of a VM when its VMI ends (vm-lifecycle §1 of the spec, the table of consequences): by the owner of the
 * VMI, and where that is a VM, by its run strategy.
 *
 * `StaysOff` is for as long as nobody starts the VM.
 */
export const afterEndTable: Table<AfterEnd, AfterEndResult> = [
  ...ownerRules,
  ...[...stayOffRules, ...restartRules].map((rule) => narrowed(rule, withVm)),
];
