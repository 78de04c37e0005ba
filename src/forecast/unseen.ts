import type { Fleet } from '../fleet/fleet.ts';
import { byKey } from '../kubevirt/order.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Context } from './context.ts';
import { unknown, verdictOf } from './ending.ts';
import type { VmVerdict } from './forecast.ts';
import { isInScope } from './scope.ts';
import { Trail } from './trail.ts';

/** A VM has a VMI, as its status says, and the input holds none: a kind that was not dumped. */
export function lacksVmis(fleet: Fleet): boolean {
  const vms = [...fleet.all('VirtualMachine')];
  return fleet.count('VirtualMachineInstance') === 0 && vms.some(({ status }) => status?.created === true);
}

/**
 * Verdicts on the VMs of the scope that have a VMI, as their status says, where the input holds no VMI at all: nothing can be said
 * of them, not even where they run. By namespace and name; none where VMIs were dumped.
 */
export function unseenVerdicts(context: Context): VmVerdict[] {
  const { fleet, scope, explain } = context;
  if (!lacksVmis(fleet)) return [];
  const unseen = [...fleet.all('VirtualMachine')].filter(
    (vm) => vm.status?.created === true && isInScope(fleet, scope, vm),
  );
  return unseen.sort(byKey).map((vm) => {
    const trail = new Trail(explain);
    const ending = unknown(
      trail,
      `the VirtualMachineInstance of ${keyOf(vm)}`,
      'Dump VMIs too: kubectl get vmi -A -o yaml',
    );
    return verdictOf({ metadata: vm.metadata }, ending, trail);
  });
}
