/** A VMI that ends, and its VM. */
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { type AfterEndResult, afterEndTable } from './after-end.ts';
import type { AfterEnd } from './ended.ts';

export const owned = () => aVmi().controlledBy('VirtualMachine', 'uid-vm-db');
export const vmi = owned().build();
export const deleting = owned().deleting().build();
export const always = aVm().build();

export function outcome(input: AfterEnd): [string, AfterEndResult] {
  const { reason, result } = decide(afterEndTable, input);
  return [reason, result];
}
