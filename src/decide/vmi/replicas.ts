/** How many VMIs a VirtualMachineInstanceReplicaSet has to make or delete. kubevirt v1.9.0 pkg/virt-controller/watch/replicaset/replicaset.go */
import type { ReplicaSet, Vmi } from '../../kubevirt/objects.ts';
import { byName } from '../../kubevirt/order.ts';
import { isFinal, isRunning } from '../../kubevirt/predicates.ts';

export interface ReplicaChange {
  readonly create: number;
  readonly remove: readonly Vmi[];
}

/**
 * What is missing of the wanted number, and what is too many; VMIs that have ended are replaced and deleted.
 *
 * Promise: a set that is paused or being deleted changes nothing; of too many, those that do not run go first, then by name.
 */
export function replicaChange(set: ReplicaSet, vmis: readonly Vmi[]): ReplicaChange {
  if (set.spec?.paused || set.metadata.deletionTimestamp !== undefined) return { create: 0, remove: [] };
  const staying = vmis.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const active = staying.filter((vmi) => !isFinal(vmi)).sort(firstToGo);
  const wanted = set.spec?.replicas ?? 1;
  const surplus = active.slice(0, Math.max(0, active.length - wanted));
  return { create: Math.max(0, wanted - active.length), remove: [...staying.filter(isFinal), ...surplus] };
}

function firstToGo(a: Vmi, b: Vmi): number {
  return Number(isRunning(a)) - Number(isRunning(b)) || byName(a, b);
}
