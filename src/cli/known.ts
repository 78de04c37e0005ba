import type { Fleet } from '../fleet/fleet.ts';
import type { Scope } from '../forecast/questions.ts';
import { isInScope } from '../forecast/scope.ts';
import { byKey } from '../kubevirt/order.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { someOf } from '../kubevirt/words.ts';
import { DroverError } from './errors.ts';
import { vmKey } from './vm-key.ts';

/** Checks that VMs that the user names are there, so that a typing error is not answered with "nothing happens". */

/** The key of a VM or VMI that is there, as the user names it (see `vmKey`). */
export function requireVm(fleet: Fleet, text: string, namespace: string | undefined): string {
  const key = vmKey(text, namespace);
  if (key && (fleet.get('VirtualMachineInstance', key) || fleet.get('VirtualMachine', key))) return key;
  const name = text.split('/').at(-1);
  const alike = [...fleet.all('VirtualMachineInstance'), ...fleet.all('VirtualMachine')]
    .filter(({ metadata }) => metadata.name === name)
    .map(keyOf);
  const message = key ? `VM "${key}" is not in the input` : `"${text}" does not name a VM`;
  throw new DroverError('UnknownVm', message, oneOf([...new Set(alike)].sort()));
}

/** The keys of the VMs that run and belong to the scope, by namespace and name; there is one at least. */
export function vmsInScope(fleet: Fleet, scope: Scope): string[] {
  const vmis = [...fleet.all('VirtualMachineInstance')].filter((vmi) => isInScope(fleet, scope, vmi));
  if (vmis.length > 0) return vmis.sort(byKey).map(keyOf);
  throw new DroverError('UnknownVm', 'no VM in the input has these labels', 'Give other labels, or -A.');
}

const MOST_NAMED = 8;

function oneOf(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `Name one of: ${someOf(names, MOST_NAMED)}.`;
}
