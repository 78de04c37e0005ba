import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { LiveEdit } from './edit.ts';

/** A change of a VM's template while its VMI may be running. */
export interface LiveEditInput {
  readonly vm: VirtualMachine;
  /** The VM's VMI; `undefined` when it has none. */
  readonly vmi: Vmi | undefined;
  readonly edit: LiveEdit;
  /** `spec.configuration.vmRolloutStrategy` with its default. */
  readonly rolloutStrategy: string;
  readonly now: Instant;
}

/** The same with a VMI that runs or is about to. */
export interface RunningEditInput extends LiveEditInput {
  readonly vmi: Vmi;
}

/**
 * What an edit does by itself. What the workload updater makes of a hot-plug afterwards is the updater's decision.
 * `HotPlug` without a condition reaches the VMI's spec, and nothing more happens.
 */
export interface LiveEditResult {
  readonly effect: 'NoChange' | 'RestartRequired' | 'HotPlug' | 'Refused';
  readonly message: string;
  /** RestartRequired on the VM, or HotVCPUChange or HotMemoryChange on the VMI. */
  readonly condition?: Condition | undefined;
}

export const NOT_LIVE_UPDATABLE = 'a non-live-updatable field was changed in the template spec';

export function restartRequired(message: string): LiveEditResult {
  const condition = { type: CONDITION.restartRequired, status: 'True', message };
  return { effect: 'RestartRequired', message, condition };
}

export function noChange(message: string): LiveEditResult {
  return { effect: 'NoChange', message };
}

export function refused(message: string): LiveEditResult {
  return { effect: 'Refused', message };
}

export function hotPlug(message: string, conditionType?: string): LiveEditResult {
  const condition = conditionType === undefined ? undefined : { type: conditionType, status: 'True' };
  return { effect: 'HotPlug', message, condition };
}
