import type { Fleet } from '../fleet/fleet.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { matchesSelector } from '../kubevirt/selector.ts';
import type { Scope } from './questions.ts';

interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

/**
 * Whether a VM (or its VMI: they share the name) belongs to the scope.
 *
 * Promise: a selector takes a VM when it matches the labels of the VM, of its VMI, or of its current launcher pod, so
 * that what one would give to `kubectl get vm`, `vmi` or `pods` all work. An empty scope takes everything.
 */
export function isInScope(fleet: Fleet, scope: Scope, vm: Named): boolean {
  if (scope.vm !== undefined && keyOf(vm) !== scope.vm) return false;
  if (scope.namespace !== undefined && vm.metadata.namespace !== scope.namespace) return false;
  const { selector } = scope;
  return selector === undefined || labelsOf(fleet, vm).some((labels) => matchesSelector(selector, labels));
}

/** What the scope keeps to, in words; empty where it takes every VM, or a VM that is named. */
export function scopeInWords({
  namespace,
  selector,
}: {
  readonly namespace?: unknown;
  readonly selector?: unknown;
}): string[] {
  return [
    ...(namespace === undefined ? [] : [`namespace ${namespace}`]),
    ...(selector === undefined ? [] : ['VMs with the labels asked for']),
  ];
}

function labelsOf(fleet: Fleet, vm: Named): Readonly<Record<string, string>>[] {
  const vmi = fleet.get('VirtualMachineInstance', keyOf(vm));
  const objects = [fleet.get('VirtualMachine', keyOf(vm)), vmi, vmi && fleet.launcherPodOf(vmi)];
  return objects.flatMap((object) => (object === undefined ? [] : [object.metadata.labels ?? {}]));
}
