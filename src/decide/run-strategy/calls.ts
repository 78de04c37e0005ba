import type { JsonObject } from '../../kubevirt/json.ts';
import { RUN_STRATEGY, STATE_CHANGE } from '../../kubevirt/names.ts';
import type { VirtualMachine } from '../../kubevirt/objects.ts';
import type { RunStrategyAction } from './action.ts';
import { renderVmi, startRevisionName } from './render-vmi.ts';
import { requestsOf, type StateChangeRequest } from './requests.ts';

/** The fields by which a VM is told to run always; one of them. */
export type AlwaysSpec = { readonly runStrategy: 'Always' } | { readonly running: true };

/** One call to the API server; all are in the VM's namespace. */
export type VmCall =
  | { readonly action: 'createControllerRevision'; readonly name: string; readonly revision: number }
  | { readonly action: 'startVMI'; readonly name: string; readonly object: JsonObject }
  | { readonly action: 'deleteVMI'; readonly name: string }
  /** A JSON patch of the status subresource that sets the whole list. */
  | {
      readonly action: 'addStartRequest';
      readonly name: string;
      readonly stateChangeRequests: readonly StateChangeRequest[];
    }
  | { readonly action: 'updateVM'; readonly name: string; readonly spec: AlwaysSpec };

/**
 * The API calls that an action takes, in order; the first that fails ends the step. `template` as for `renderVmi`.
 *
 * Promise: empty for actions that call nothing.
 */
export function callsOf(
  action: RunStrategyAction,
  vm: VirtualMachine,
  template: JsonObject,
): readonly VmCall[] {
  const { name, generation = 0 } = vm.metadata;
  switch (action.do) {
    case 'StartVmi':
      return [
        { action: 'createControllerRevision', name: startRevisionName(vm), revision: generation },
        { action: 'startVMI', name, object: renderVmi(vm, template) },
      ];
    case 'DeleteVmi':
      return [{ action: 'deleteVMI', name }, ...(action.thenRequestStart ? [startRequestOf(vm)] : [])];
    case 'SetAlways':
      return [{ action: 'updateVM', name, spec: alwaysSpec(vm) }];
    default:
      return [];
  }
}

function startRequestOf(vm: VirtualMachine): VmCall {
  return {
    action: 'addStartRequest',
    name: vm.metadata.name,
    stateChangeRequests: [...requestsOf(vm), { action: STATE_CHANGE.start }],
  };
}

function alwaysSpec(vm: VirtualMachine): AlwaysSpec {
  return vm.spec?.runStrategy === undefined ? { running: true } : { runStrategy: RUN_STRATEGY.always };
}
