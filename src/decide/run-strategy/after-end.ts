import { CONDITION, RUN_STRATEGY, STATE_CHANGE } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { controllerOf, isConditionTrue } from '../../kubevirt/predicates.ts';
import { conditionField, vmField, vmiField } from '../evidence.ts';
import type { Evidence, Rule, Table } from '../rules.ts';
import { isStopRequested, requestsOf, restingRequests } from './requests.ts';
import { resolveRunStrategy, runStrategyFields } from './resolve.ts';

/** How a VMI went: by its final phase, or because someone deleted the VMI object itself. */
export type VmiEnd = 'Succeeded' | 'Failed' | 'Deleted';

/** `Unknown`: whoever decides is not in the input. */
export type AfterEndResult = 'Restarts' | 'StaysOff' | 'Replaced' | 'Unknown';

export interface AfterEnd {
  /** The VM of the VMI, where the input holds it. */
  readonly vm: VirtualMachine | undefined;
  /** The VMI as it is before it ends. */
  readonly vmi: Vmi;
  readonly end: VmiEnd;
}

/** Who decides what follows the end of a VMI. */
export type VmiOwner =
  | 'Nothing'
  | 'VirtualMachine'
  | 'MissingVirtualMachine'
  | 'ReplicaSet'
  | 'OtherController';

const REPLACING_KINDS: ReadonlySet<string | undefined> = new Set([
  'VirtualMachineInstanceReplicaSet',
  'VirtualMachinePool',
]);

/**
 * Who decides what follows the end of the VMI.
 *
 * Promise: a VM that is given counts, unless the VMI names a controller with another UID; `MissingVirtualMachine` says
 * that the VMI names a VM that was not given.
 */
export function ownerOfVmi({ vm, vmi }: Pick<AfterEnd, 'vm' | 'vmi'>): VmiOwner {
  const controller = controllerOf(vmi.metadata);
  if (!controller) return vm ? 'VirtualMachine' : 'Nothing';
  if (REPLACING_KINDS.has(controller.kind)) return 'ReplicaSet';
  if (controller.kind !== 'VirtualMachine') return 'OtherController';
  if (!vm) return 'MissingVirtualMachine';
  const isAnother =
    controller.uid !== undefined && vm.metadata.uid !== undefined && controller.uid !== vm.metadata.uid;
  return isAnother ? 'MissingVirtualMachine' : 'VirtualMachine';
}

const { always, halted, manual, once, rerunOnFailure, waitAsReceiver } = RUN_STRATEGY;
const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:970-1178';

function strategyOf({ vm }: AfterEnd): string {
  return vm ? resolveRunStrategy(vm).strategy : '';
}

function isDeleted({ vmi, end }: AfterEnd): boolean {
  return end === 'Deleted' || vmi.metadata.deletionTimestamp !== undefined;
}

/** Whether the VMI object goes away. Under Manual and Once a final one stays, and keeps the VM from starting. */
function doesObjectGo(input: AfterEnd): boolean {
  const strategy = strategyOf(input);
  if (isDeleted(input)) return true;
  if (strategy === manual)
    return input.vm !== undefined && isStopRequested(restedVm(input.vm, input.vmi), input.vmi);
  return strategy !== once && strategy !== waitAsReceiver;
}

function restedVm(vm: VirtualMachine, vmi: Vmi): VirtualMachine {
  return { ...vm, status: { ...vm.status, stateChangeRequests: [...restingRequests(vm, vmi)] } };
}

/** A start request that outlives the VMI, as `virtctl restart` leaves behind its stop request. */
function isStartWaiting(input: AfterEnd): boolean {
  const { vm, vmi } = input;
  if (!vm || !doesObjectGo(input)) return false;
  return restingRequests(vm, vmi).some(({ action }) => action === STATE_CHANGE.start);
}

/** A volume migration that has not ended, and that the VM has not given up. */
function isVolumeMigrationUnfinished({ vm, vmi }: AfterEnd): boolean {
  return (
    isConditionTrue(vmi.status?.conditions, CONDITION.volumesChange) &&
    (vmi.status?.migratedVolumes?.length ?? 0) > 0 &&
    vm?.spec?.updateVolumesStrategy !== 'Replacement'
  );
}

function strategyFields({ vm }: AfterEnd): readonly Evidence[] {
  return vm ? runStrategyFields(vm) : [];
}

function requestFields(input: AfterEnd): readonly Evidence[] {
  const { vm } = input;
  if (!vm) return [];
  return [...strategyFields(input), vmField(vm, 'status.stateChangeRequests', requestsOf(vm))];
}

function ownerFields({ vmi }: AfterEnd): readonly Evidence[] {
  return [vmiField(vmi, 'metadata.ownerReferences[controller=true]', controllerOf(vmi.metadata))];
}

type AfterEndRule = Rule<AfterEnd, AfterEndResult>;

function ownerRule(name: string, owner: VmiOwner, asks: string, result: AfterEndResult): AfterEndRule {
  return {
    name,
    asks,
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go resolveControllerRef',
    when: (input) => ownerOfVmi(input) === owner,
    reads: ownerFields,
    then: () => result,
  };
}

const ownerRules: Table<AfterEnd, AfterEndResult> = [
  ownerRule('NothingOwnsTheVmi', 'Nothing', 'no controller owns the VMI', 'StaysOff'),
  ownerRule('ReplicaSetReplacesTheVmi', 'ReplicaSet', 'a replica set or pool owns the VMI', 'Replaced'),
  ownerRule('ControllerUnknown', 'OtherController', 'a controller of another kind owns the VMI', 'Unknown'),
  ownerRule(
    'VirtualMachineMissing',
    'MissingVirtualMachine',
    'the VM that owns the VMI is not in the input',
    'Unknown',
  ),
];

function stayOffRule(
  name: string,
  asks: string,
  when: (input: AfterEnd, strategy: string) => boolean,
  reads: AfterEndRule['reads'] = strategyFields,
): AfterEndRule {
  return {
    name,
    asks,
    source: SOURCE,
    when: (input) => when(input, strategyOf(input)),
    reads,
    then: () => 'StaysOff',
  };
}

const stayOffRules: Table<AfterEnd, AfterEndResult> = [
  stayOffRule(
    'VirtualMachineDeleting',
    'the VM itself is being deleted',
    ({ vm }) => vm?.metadata.deletionTimestamp !== undefined,
    ({ vm }) => (vm ? [vmField(vm, 'metadata.deletionTimestamp', vm.metadata.deletionTimestamp)] : []),
  ),
  stayOffRule(
    'RunStrategyInvalid',
    'the VM sets both running and runStrategy, or a strategy that KubeVirt does not know',
    (_, strategy) => !Object.values<string>(RUN_STRATEGY).includes(strategy),
  ),
  stayOffRule(
    'RunStrategyWaitAsReceiver',
    'strategy WaitAsReceiver: nothing starts the guest here but a migration',
    (_, strategy) => strategy === waitAsReceiver,
  ),
  stayOffRule(
    'RunStrategyHalted',
    'strategy Halted, and no start is requested',
    (input, strategy) => strategy === halted && !isStartWaiting(input),
    requestFields,
  ),
  stayOffRule(
    'RunStrategyManual',
    'strategy Manual, and no start is requested',
    (input, strategy) => strategy === manual && !isStartWaiting(input),
    requestFields,
  ),
  stayOffRule(
    'RunStrategyOnce',
    'strategy Once, and the ended VMI object stays',
    (input, strategy) => strategy === once && !doesObjectGo(input),
  ),
  stayOffRule(
    'DeletionStaysOff',
    'strategy RerunOnFailure, and the VMI object is deleted, however the guest ends',
    (input, strategy) => strategy === rerunOnFailure && isDeleted(input) && !isStartWaiting(input),
    requestFields,
  ),
  stayOffRule(
    'CleanShutdownStaysOff',
    'strategy RerunOnFailure, and the guest shuts down cleanly',
    (input, strategy) => strategy === rerunOnFailure && input.end === 'Succeeded' && !isStartWaiting(input),
    requestFields,
  ),
  stayOffRule(
    'ManualRecoveryRequired',
    'the VM needs manual recovery after a volume migration that was cut short',
    ({ vm }) => isConditionTrue(vm?.status?.conditions, CONDITION.manualRecoveryRequired),
    ({ vm }) => (vm ? [conditionField(vm, CONDITION.manualRecoveryRequired, 'VirtualMachine')] : []),
  ),
  stayOffRule(
    'VolumeMigrationCutShort',
    'a volume migration is unfinished: the VM refuses to start until someone recovers it',
    isVolumeMigrationUnfinished,
    (input) => [
      ...strategyFields(input),
      conditionField(input.vmi, CONDITION.volumesChange, 'VirtualMachineInstance'),
      vmiField(input.vmi, 'status.migratedVolumes', input.vmi.status?.migratedVolumes),
    ],
  ),
];

function restartRule(
  name: string,
  asks: string,
  when: (strategy: string) => boolean,
  reads: AfterEndRule['reads'] = strategyFields,
): AfterEndRule {
  return {
    name,
    asks,
    source: SOURCE,
    when: (input) => when(strategyOf(input)),
    reads,
    then: () => 'Restarts',
  };
}

/**
 * What becomes of a VM when its VMI ends (vm-lifecycle §1 of the spec, the table of consequences).
 *
 * `StaysOff` is for as long as nobody starts the VM. Every rule after the owners' has a VM.
 */
export const afterEndTable: Table<AfterEnd, AfterEndResult> = [
  ...ownerRules,
  ...stayOffRules,
  restartRule('RunStrategyAlways', 'strategy Always', (strategy) => strategy === always),
  restartRule(
    'OnceWithoutVmiStartsAgain',
    'strategy Once, and the VMI object is deleted',
    (strategy) => strategy === once,
  ),
  {
    ...restartRule(
      'StartRequested',
      'a start is requested, and waits for the VMI to be gone',
      () => true,
      requestFields,
    ),
    when: isStartWaiting,
  },
  restartRule('FailureRestarts', 'strategy RerunOnFailure, and the guest ends in failure', () => true),
];
