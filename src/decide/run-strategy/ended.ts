import { CONDITION, RUN_STRATEGY, STATE_CHANGE } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { controllerOf, isConditionTrue } from '../../kubevirt/predicates.ts';
import { restingRequests } from './requests.ts';
import { resolveRunStrategy } from './resolve.ts';

/** How a VMI went: by its final phase, or because someone deleted the VMI object itself. */
export type VmiEnd = 'Succeeded' | 'Failed' | 'Deleted';

export interface AfterEnd {
  /** The VM of the VMI, where the input holds it. */
  readonly vm: VirtualMachine | undefined;
  /** The VMI as it is before it ends. */
  readonly vmi: Vmi;
  readonly end: VmiEnd;
}

/** The end of a VMI whose VM is at hand. */
export interface OwnedEnd extends AfterEnd {
  readonly vm: VirtualMachine;
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
 * that the VMI names a VM that was not given. A VMI without controller is adopted by the VM of its name, if one is given.
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

const { manual, once } = RUN_STRATEGY;

/** The strategy in force; empty when it does not resolve. */
export function strategyOf({ vm }: OwnedEnd): string {
  return resolveRunStrategy(vm).strategy;
}

/** Someone deletes the VMI object, now or before it ends. */
export function isDeleted({ vmi, end }: AfterEnd): boolean {
  return end === 'Deleted' || vmi.metadata.deletionTimestamp !== undefined;
}

/** Whether the VMI object goes away. Under Manual and Once a final one stays, and keeps the VM from starting. Not asked of a receiver. */
export function doesObjectGo(input: OwnedEnd): boolean {
  const strategy = strategyOf(input);
  if (isDeleted(input)) return true;
  if (strategy === manual) return isStopWaiting(input);
  return strategy !== once;
}

/** Void stop requests are gone by the time that the VMI ends, so one that rests is for this VMI. */
function isStopWaiting({ vm, vmi }: OwnedEnd): boolean {
  return restingRequests(vm, vmi)[0]?.action === STATE_CHANGE.stop;
}

/** A start request that outlives the VMI, as `virtctl restart` leaves behind its stop request; stops end with the VMI. */
export function isStartWaiting(input: OwnedEnd): boolean {
  if (!doesObjectGo(input)) return false;
  const next = restingRequests(input.vm, input.vmi).find(({ action }) => action !== STATE_CHANGE.stop);
  return next?.action === STATE_CHANGE.start;
}

/** A volume migration that has not ended, and that the VM has not given up. */
export function isVolumeMigrationUnfinished({ vm, vmi }: Pick<OwnedEnd, 'vm' | 'vmi'>): boolean {
  return (
    isConditionTrue(vmi.status?.conditions, CONDITION.volumesChange) &&
    (vmi.status?.migratedVolumes?.length ?? 0) > 0 &&
    vm.spec?.updateVolumesStrategy !== 'Replacement'
  );
}
