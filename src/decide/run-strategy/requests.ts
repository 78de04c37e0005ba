/**
 * `status.stateChangeRequests`: what `virtctl start|stop|restart` left for the VM controller. Only the first request
 * counts; it is dropped once it is fulfilled or can never be.
 */
import { RUN_STRATEGY, STATE_CHANGE } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { isFinal } from '../../kubevirt/predicates.ts';

export type StateChangeRequest = NonNullable<
  NonNullable<VirtualMachine['status']>['stateChangeRequests']
>[number];

/** What `virtctl` has asked for and nobody has done yet, the oldest first. */
export function requestsOf(vm: VirtualMachine): readonly StateChangeRequest[] {
  return vm.status?.stateChangeRequests ?? [];
}

/** The next request is a start. */
export function isStartRequested(vm: VirtualMachine): boolean {
  return requestsOf(vm)[0]?.action === STATE_CHANGE.start;
}

/** A start request that wants the guest paused. */
export function isPausedStartRequested(vm: VirtualMachine): boolean {
  return isStartRequested(vm) && requestsOf(vm)[0]?.data?.paused === 'true';
}

/** A stop request counts only for the very VMI that it names by UID. */
export function isStopRequested(vm: VirtualMachine, vmi: Vmi): boolean {
  const [first] = requestsOf(vm);
  return first?.action === STATE_CHANGE.stop && first.uid !== undefined && first.uid === vmi.metadata.uid;
}

/**
 * The requests that are left when the controller has dropped those at the front that are done or void.
 *
 * Promise: one look of the controller drops at most one request; this is where it comes to rest while the VMI stays as
 * it is. Unknown actions are never dropped (vm.go isTrimFirstChangeRequestNeeded).
 */
export function restingRequests(vm: VirtualMachine, vmi: Vmi | undefined): readonly StateChangeRequest[] {
  const requests = requestsOf(vm);
  const first = requests.findIndex((request) => !isDone(request, vmi));
  return first === -1 ? [] : requests.slice(first);
}

function isDone(request: StateChangeRequest, vmi: Vmi | undefined): boolean {
  switch (request.action) {
    case STATE_CHANGE.stop:
      return vmi === undefined || request.uid === undefined || request.uid !== vmi.metadata.uid;
    case STATE_CHANGE.start:
      return vmi !== undefined && vmi.metadata.deletionTimestamp === undefined && !isFinal(vmi);
    default:
      return false;
  }
}

/** Whether the VM is meant to run, as the status page of the VM sees it (vm.go isSetToStart). */
export function isSetToStart(vm: VirtualMachine, vmi: Vmi | undefined, strategy: string): boolean {
  switch (strategy) {
    case RUN_STRATEGY.always:
      return true;
    case RUN_STRATEGY.manual:
      return vmi ? !isStopRequested(vm, vmi) : isStartRequested(vm);
    case RUN_STRATEGY.rerunOnFailure:
      return vmi?.status?.phase !== 'Succeeded';
    case RUN_STRATEGY.once:
      return vmi === undefined;
    default:
      return false;
  }
}
