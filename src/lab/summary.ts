/** What a lab shows of itself, from what is known of its cluster. */

import { vmiKeyOf } from '../decide/workload-update/survey.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { tally } from '../kubevirt/group-by.ts';
import { LABEL } from '../kubevirt/names.ts';
import type { KubeVirt, Migration } from '../kubevirt/objects.ts';
import { compareText, oldestFirst } from '../kubevirt/order.ts';
import { isMigrationFinal, keyOf } from '../kubevirt/predicates.ts';

/** Migrations that are shown one by one; the rest is counted. */
const SHOWN_MOST = 8;

/** A few lines: KubeVirt, nodes, VMIs and migrations by phase, and those migrations that are under way. */
export function labSummary(fleet: Fleet): string[] {
  const migrations = [...fleet.all('VirtualMachineInstanceMigration')];
  const underWay = migrations.filter((migration) => !isMigrationFinal(migration)).sort(oldestFirst);
  const vmis = [...fleet.all('VirtualMachineInstance')];
  const outdated = vmis.filter(
    ({ metadata }) => metadata.labels?.[LABEL.outdatedLauncherImage] !== undefined,
  );
  const more = underWay.length - SHOWN_MOST;
  return [
    `KubeVirt    ${kubevirtText(fleet.kubevirt())}`,
    `nodes       ${nodesText(fleet)}`,
    `VMIs        ${counted(vmis.map(({ status }) => status?.phase))}${outdated.length > 0 ? `; ${outdated.length} outdated` : ''}`,
    `migrations  ${counted(migrations.map(({ status }) => status?.phase))}`,
    ...underWay.slice(0, SHOWN_MOST).map((migration) => `  ${moveText(fleet, migration)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function kubevirtText(kubevirt: KubeVirt | undefined): string {
  const {
    phase,
    observedKubeVirtVersion: is,
    observedDeploymentID,
    targetDeploymentID,
    targetKubeVirtVersion,
  } = kubevirt?.status ?? {};
  if (!kubevirt) return 'not installed';
  const rolls = observedDeploymentID === targetDeploymentID ? '' : `, rolling out ${targetKubeVirtVersion}`;
  return `${is} ${phase}${rolls}`;
}

function nodesText(fleet: Fleet): string {
  const nodes = [...fleet.all('Node')];
  const cordoned = nodes.filter(({ spec }) => spec?.unschedulable).map(({ metadata }) => metadata.name);
  return `${nodes.length}${cordoned.length > 0 ? `, cordoned: ${cordoned.sort(compareText).join(' ')}` : ''}`;
}

function counted(phases: readonly (string | undefined)[]): string {
  const counts = tally(phases.map((phase) => phase || 'New'));
  if (counts.size === 0) return 'none';
  return [...counts]
    .sort(([a], [b]) => compareText(a, b))
    .map(([phase, count]) => `${count} ${phase}`)
    .join(', ');
}

function moveText(fleet: Fleet, migration: Migration): string {
  const { namespace, name } = migration.metadata;
  const vmi = fleet.get('VirtualMachineInstance', vmiKeyOf(migration));
  const state = vmi?.status?.migrationState;
  const isOwn = state?.migrationUid === migration.metadata.uid;
  const way = isOwn
    ? `${state?.sourceNode ?? '?'} → ${state?.targetNode ?? '?'}`
    : (vmi?.status?.nodeName ?? '');
  return `${vmi ? keyOf(vmi) : `${namespace}/${name}`}  ${migration.status?.phase || 'New'}  ${way}`.trimEnd();
}
