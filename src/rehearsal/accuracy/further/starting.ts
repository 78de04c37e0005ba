import type { RawObject } from '../../../scenario/cluster.ts';
import type { ScenarioVm } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** VMs that just start: their launcher is there and not up yet, on its node or without one. */
export function starting(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const moving = new Set((cluster.objects ?? []).map(migratedBy));
  const runs = ({ name, node, phase, deleting, hotplugged }: ScenarioVm): boolean =>
    node !== undefined && !(phase || deleting || hotplugged || moving.has(name));
  const vms = cluster.vms.map((vm) =>
    runs(vm) && draws.percent(25)
      ? { ...vm, ...STARTING, node: draws.percent(50) ? vm.node : undefined }
      : vm,
  );
  return { ...trial, cluster: { ...cluster, vms } };
}

/** Nobody knows what its launcher was started from before it is up. */
const STARTING = { phase: 'Scheduling', launcher: '', marked: undefined } as const;

function migratedBy({ kind, spec }: RawObject): string | undefined {
  const { vmiName } = (spec ?? {}) as { readonly vmiName?: string };
  return kind === 'VirtualMachineInstanceMigration' ? vmiName : undefined;
}
