/** Traps in what the workload updater may and may not do: VMIs that wait for a method that nobody allowed. */
import { conditionField, vmiField } from '../../decide/evidence.ts';
import type { Evidence } from '../../decide/rules.ts';
import { isChangePending } from '../../decide/workload-update/staleness.ts';
import { CONDITION, METHOD } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { findCondition, isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { whyNotMigratable } from '../not-migratable.ts';
import { patchKubeVirt, restart } from './commands.ts';
import type { LintContext } from './context.ts';
import type { Found, LintRule } from './finding.ts';
import { found, grouped, listed, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';
const METHODS_PATH = 'spec.workloadUpdateStrategy.workloadUpdateMethods';

/** What waits, by the condition that says so. */
const CHANGES = [
  { condition: CONDITION.hotVcpuChange, what: 'CPU' },
  { condition: CONDITION.hotMemoryChange, what: 'memory' },
  { condition: CONDITION.migrationRequired, what: 'network' },
  { condition: CONDITION.volumesChange, what: 'volumes' },
];

export const liveUpdatesWait: LintRule = {
  code: 'DRV007',
  name: 'LiveUpdatesWait',
  severity: 'warning',
  title: 'changes of running VMs wait for a method that is not allowed',
  explains:
    'CPU, memory, network and volume changes of a running VM are carried out by the workload updater, with the same ' +
    '`workloadUpdateMethods` as launcher updates. An empty list, meant to hold a roll-out back, holds these back too; a ' +
    'list with `LiveMigrate` alone does nothing for VMs that cannot migrate. Such a change waits without end or error.',
  needs: [KIND, 'KubeVirt'],
  find: (cluster) =>
    waiting(cluster, true).flatMap((group) => {
      const changes = CHANGES.filter(({ condition }) => group.some((vmi) => has(vmi, condition)));
      const what = listed(changes.map((change) => change.what));
      return waitingFound(cluster, group, (count) => `Changes of ${what} of ${counted(count, 'VMI')} wait`);
    }),
};

export const outdatedStays: LintRule = {
  code: 'DRV010',
  name: 'OutdatedStays',
  severity: 'info',
  title: 'VMIs keep an outdated launcher, because no allowed method fits them',
  explains:
    'Without a method that fits, a VMI keeps the launcher that it was started with: with `LiveMigrate` alone one that cannot ' +
    'migrate, with an empty list every one. That may be what is wanted. It also keeps old bugs in place, makes later ' +
    'upgrades jump further, and keeps the alert OutdatedVirtualMachineInstanceWorkloads firing.',
  needs: [KIND, 'KubeVirt'],
  find: (cluster) =>
    waiting(cluster, false).flatMap((group) =>
      waitingFound(
        cluster,
        group,
        (count) => `${counted(count, 'VMI')} ${verb(count, 'runs', 'run')} an outdated launcher`,
      ),
    ),
};

/** The VMIs that wait for a method, those that could migrate apart from those that could not. */
function waiting({ runningVmis, categoryOf, forecast }: LintContext, forChange: boolean): Vmi[][] {
  const stuck = runningVmis().filter((vmi) => {
    const category = categoryOf(vmi);
    return category.action === 'wait' && category.waitsFor === 'method';
  });
  const meant = stuck.filter((vmi) => isChangePending(vmi, forecast.behavior) === forChange);
  return grouped(meant, (vmi) => String(isMigratable(vmi)));
}

function waitingFound(cluster: LintContext, group: readonly Vmi[], who: (count: number) => string): Found[] {
  const methods = cluster.settings.workloadUpdateMethods;
  const allowed =
    methods.length === 0 ? 'no method is allowed' : `the methods are ${methods.join(' and ')} only`;
  return found(
    KIND,
    group,
    (vmi) => vmi,
    (first, count) => ({
      cause: `${who(count)}: ${allowed}${isMigratable(first) ? '' : `, and ${keyOf(first)} cannot live-migrate (${whyNotMigratable(first)})`}.`,
      cure: isMigratable(first)
        ? allowLiveMigrate(cluster)
        : `Restart each VM at a time that suits it, which takes the change over too: ${restart(first)}`,
      evidence: [...methodsEvidence(cluster), ...vmiEvidence(first)],
    }),
  );
}

function has(vmi: Vmi, condition: string): boolean {
  return findCondition(vmi.status?.conditions, condition) !== undefined;
}

function allowLiveMigrate({ kubevirt, settings }: LintContext): string {
  const methods = [METHOD.liveMigrate, ...settings.workloadUpdateMethods];
  const spec = { workloadUpdateStrategy: { workloadUpdateMethods: methods } };
  return `Allow live migration, which updates outdated launchers too: ${kubevirt ? patchKubeVirt(kubevirt, spec) : 'add LiveMigrate to the methods'}`;
}

function methodsEvidence({ kubevirt, settings }: LintContext): Evidence[] {
  return kubevirt
    ? [{ object: `KubeVirt ${keyOf(kubevirt)}`, path: METHODS_PATH, value: settings.workloadUpdateMethods }]
    : [];
}

function vmiEvidence(vmi: Vmi): Evidence[] {
  const changes = CHANGES.filter(({ condition }) => has(vmi, condition));
  return [
    vmiField(vmi, 'status.launcherContainerImageVersion', vmi.status?.launcherContainerImageVersion),
    ...changes.map(({ condition }) => conditionField(vmi, condition, KIND)),
    conditionField(vmi, CONDITION.liveMigratable, KIND),
  ];
}
