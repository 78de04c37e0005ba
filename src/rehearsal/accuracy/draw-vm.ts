import type { ScenarioVm } from '../../scenario/schema.ts';
import type { Draws } from './draws.ts';

/** What the cluster says about the VMs that are drawn for it. */
export interface VmCircumstances {
  readonly nodes: readonly [string, ...string[]];
  /** The image that virt-controller starts launchers with. */
  readonly launcherImage: string;
  /** The updater may have something to do for some: an older launcher, a live update that is pending. */
  readonly hasOutdated: boolean;
}

/** Why a VM cannot migrate, with what it has that explains it. */
const OBSTACLES: readonly [Partial<ScenarioVm>, ...Partial<ScenarioVm>[]] = [
  { migratable: 'DisksNotLiveMigratable', claims: { data: ['ReadWriteOnce'] } },
  { migratable: 'HostDeviceNotLiveMigratable', message: 'VMI uses a PCI host device' },
  { migratable: 'InterfaceNotLiveMigratable' },
];

/** A VM of any strategy, run strategy, owner, grace period, size and oddity, that runs on one of the nodes. */
export function drawVm(draws: Draws, name: string, around: VmCircumstances): ScenarioVm {
  const { nodes, launcherImage, hasOutdated } = around;
  const node = draws.pick(...nodes);
  return {
    ...{ name, node, ...drawMigratability(draws), ...drawStrategies(draws) },
    runStrategy: draws.pick('Always', 'Always', 'RerunOnFailure', 'RerunOnFailure', 'Manual', 'Once'),
    ...(draws.percent(15) && { standalone: true }),
    launcher: hasOutdated && draws.percent(40) ? 'L0' : launcherImage,
    graceSeconds: draws.pick(undefined, undefined, 0, 5, 60, 300),
    ...(draws.percent(15) && { acpi: false }),
    ...(draws.percent(10) && { marked: draws.percent(60) ? node : draws.pick(...nodes) }),
    ...(draws.percent(50) && { labels: { pool: draws.pick('web', 'db') } }),
    ...(draws.percent(20) && { nodeSelector: { 'kubernetes.io/hostname': node } }),
    ...(draws.percent(15) && { hotplugged: true }),
    ...(hasOutdated &&
      draws.percent(15) && {
        conditions: { [draws.pick('HotVCPUChange', 'HotMemoryChange', 'MigrationRequired')]: 'True' },
      }),
    cpu: draws.pick('100m', '100m', '2', '6'),
  };
}

function drawMigratability(draws: Draws): Partial<ScenarioVm> {
  if (draws.percent(40)) return draws.pick(...OBSTACLES);
  return { migratable: true, ...(draws.percent(30) && { claims: { data: ['ReadWriteMany'] } }) };
}

/** As a rule a VMI carries what its VM says. */
function drawStrategies(draws: Draws): Partial<ScenarioVm> {
  const strategy = draws.pick(
    undefined,
    'None',
    'LiveMigrate',
    'LiveMigrate',
    'LiveMigrateIfPossible',
    'External',
  );
  const templateStrategy = draws.percent(70) ? strategy : draws.pick(undefined, 'None', 'LiveMigrate');
  return { strategy, templateStrategy };
}
