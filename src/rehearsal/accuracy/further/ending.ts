import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** VMs whose VMI is being deleted when the action begins. */
export function ending(draws: Draws, trial: Trial): Trial {
  const vms = trial.cluster.vms.map((vm) =>
    vm.node !== undefined && draws.percent(25) ? { ...vm, deleting: true } : vm,
  );
  return { ...trial, cluster: { ...trial.cluster, vms } };
}
