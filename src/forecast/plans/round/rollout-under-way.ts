import { resultOf } from '../../../decide/rules.ts';
import { categorise } from '../../../decide/workload-update/categorise.ts';
import { gateTable } from '../../../decide/workload-update/gates.ts';
import type { Context } from '../../context.ts';
import { launcherImageToday } from '../../launcher-image.ts';

/** How many VMs KubeVirt's updater moves as things are, without anybody doing anything; those that it evicts are not among them. */
export function movesUnderWay({ fleet, settings, now, behavior }: Context): number {
  if (!resultOf(gateTable, { kubevirt: fleet.kubevirt(), now }).open) return 0;
  const methods = settings.workloadUpdateMethods;
  return [...fleet.all('VirtualMachineInstance')].filter((vmi) => {
    const unfinishedMigrations = fleet.unfinishedMigrationsOf(vmi);
    const launcherImage = launcherImageToday(fleet, vmi);
    const category = categorise({ vmi, launcherImage, methods, unfinishedMigrations, now, behavior });
    return category.action === 'migrate' || (category.action === 'wait' && category.waitsFor !== 'method');
  }).length;
}
