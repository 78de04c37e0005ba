import { CONDITION } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { type EventDraft, eventOnVm } from '../events.ts';
import type { Behavior } from '../rules.ts';
import type { RunStrategyAction, SyncError } from './action.ts';
import type { VmCall } from './calls.ts';

/** VMIs whose creation or deletion the controller waits to see before it looks at the VM again. */
export interface VmExpectations {
  readonly creations: number;
  readonly deletions: number;
}

/** One pass of the run-strategy step, as far as it has come. */
export interface RunStrategyPass {
  /** The VM as the controller holds it; the rest of the pass, its status update above all, goes by it. */
  readonly vm: VirtualMachine;
  readonly events: readonly EventDraft[];
  /** Absent while nothing was asked for that must be seen. */
  readonly expectations?: VmExpectations | undefined;
  /** Becomes the VM's condition Failure; the VM is tried again, rate-limited. */
  readonly syncError?: SyncError | undefined;
}

/** How a call went: an error's text, or the object as the server now has it. */
export type CallAnswer = { readonly error: string } | { readonly vm?: VirtualMachine | undefined };

/** The pass before its first call. */
export function beginPass(vm: VirtualMachine, action: RunStrategyAction): RunStrategyPass {
  const pass: RunStrategyPass = { vm, events: [] };
  switch (action.do) {
    case 'Fail':
      return { ...pass, syncError: action.error };
    case 'TakeStrategy':
      return { ...pass, vm: { ...vm, spec: { ...vm.spec, runStrategy: action.strategy } } };
    case 'StartVmi':
      return { ...pass, vm: withoutRestartRequired(vm) };
    default:
      return pass;
  }
}

/**
 * The pass after a call. `vmi` is the VMI that the step looked at.
 *
 * Promise: after a failed call no further one may follow. In behaviour `exact` a Halted VM that is turned to Always
 * reports a failure although the update went well (upstream fault U11); `intended` reports none.
 */
export function noteCall(
  pass: RunStrategyPass,
  call: VmCall,
  answer: CallAnswer,
  vmi: Vmi | undefined,
  behavior: Behavior,
): RunStrategyPass {
  const error = 'error' in answer ? answer.error : undefined;
  switch (call.action) {
    case 'createControllerRevision':
      return error === undefined ? pass : failedStart(pass, error);
    case 'startVMI':
      return noteStart(pass, call.name, error);
    case 'deleteVMI':
      return noteDeletion(pass, call.name, vmi, error);
    case 'addStartRequest':
      return noteStartRequest(pass, answer);
    case 'updateVM':
      return behavior === 'intended' && error === undefined ? pass : failedStart(pass, error ?? '<nil>');
  }
}

function failedStart(pass: RunStrategyPass, error: string): RunStrategyPass {
  return { ...pass, syncError: { reason: 'FailedCreate', message: `Failure while starting VMI: ${error}` } };
}

function noteStart(pass: RunStrategyPass, name: string, error: string | undefined): RunStrategyPass {
  if (error !== undefined) {
    const told = `Error creating virtual machine instance: ${error}`;
    const expectations = { creations: 0, deletions: 0 };
    return failedStart(
      { ...pass, expectations, events: [eventOnVm(pass.vm, 'Warning', 'FailedCreate', told)] },
      error,
    );
  }
  const told = `Started the virtual machine by creating the new virtual machine instance ${name}`;
  return {
    ...pass,
    expectations: { creations: 1, deletions: 0 },
    events: [eventOnVm(pass.vm, 'Normal', 'SuccessfulCreate', told)],
  };
}

function noteDeletion(
  pass: RunStrategyPass,
  name: string,
  vmi: Vmi | undefined,
  error: string | undefined,
): RunStrategyPass {
  if (error !== undefined) {
    const told = `Error deleting virtual machine instance ${name}: ${error}`;
    return {
      ...pass,
      expectations: { creations: 0, deletions: 0 },
      events: [eventOnVm(pass.vm, 'Warning', 'FailedDelete', told)],
      syncError: { reason: 'FailedDelete', message: `Failure attempting to delete VMI: ${error}` },
    };
  }
  const uid = vmi?.metadata.uid ?? '';
  const told = `Stopped the virtual machine by deleting the virtual machine instance ${uid}`;
  return {
    ...pass,
    vm: withoutRestartRequired(pass.vm),
    expectations: { creations: 0, deletions: 1 },
    events: [eventOnVm(pass.vm, 'Normal', 'SuccessfulDelete', told)],
  };
}

/** On success the controller goes on with the status that the server answered, its own changes to it lost. */
function noteStartRequest(pass: RunStrategyPass, answer: CallAnswer): RunStrategyPass {
  if ('error' in answer) {
    const message = `failed to patch VM with start action: ${answer.error}`;
    return { ...pass, syncError: { reason: 'FailedDelete', message } };
  }
  return answer.vm ? { ...pass, vm: { ...pass.vm, status: answer.vm.status } } : pass;
}

/** A start or a stop does what RestartRequired asks for. */
function withoutRestartRequired(vm: VirtualMachine): VirtualMachine {
  const conditions = vm.status?.conditions;
  if (conditions === undefined) return vm;
  const kept = conditions.filter(({ type }) => type !== CONDITION.restartRequired);
  return { ...vm, status: { ...vm.status, conditions: kept } };
}
