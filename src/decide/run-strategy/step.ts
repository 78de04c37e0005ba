import { type Decision, decide } from '../rules.ts';
import type { RunStrategyAction, RunStrategyInput } from './action.ts';
import { withVmiTable } from './with-vmi.ts';
import { withoutVmiTable } from './without-vmi.ts';

/**
 * The run-strategy step of the VM controller: what the VM's strategy demands of the VMI as it is now.
 *
 * Promise: one action, or `Nothing`; never a start while a VMI object exists, never a deletion without one. A VM whose
 * strategy does not resolve must not come here: the controller stops before (vm-lifecycle §1 of the spec).
 */
export function decideRunStrategy(input: RunStrategyInput): Decision<RunStrategyAction> {
  const { vmi } = input;
  return vmi ? decide(withVmiTable, { ...input, vmi }) : decide(withoutVmiTable, input);
}
