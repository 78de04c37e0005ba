import { counted } from '../../kubevirt/words.ts';
/** Traps around VMs whose evictions another controller answers: workers of nested clusters (CAPK, Cluster API). */

import { effectiveStrategy, strategyEvidence } from '../../decide/eviction-strategy.ts';
import { field, vmiField } from '../../decide/evidence.ts';
import { capkTerminalTable } from '../../decide/external/capk-terminal.ts';
import { isTarget } from '../../decide/external/machine-health.ts';
import { remediationLimit } from '../../decide/external/machine-health-check.ts';
import { resultOf } from '../../decide/rules.ts';
import { STRATEGY } from '../../kubevirt/names.ts';
import type {
  KubevirtMachine,
  Machine,
  MachineHealthCheck,
  ObjectMeta,
  Vmi,
} from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { isMarked, keyOf } from '../../kubevirt/predicates.ts';
import { setStrategy, shellWord, target } from './commands.ts';
import type { LintContext } from './context.ts';
import type { LintRule } from './finding.ts';
import { found, grouped, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';

export const externalWithoutController: LintRule = {
  code: 'DRV031',
  name: 'ExternalWithoutController',
  severity: 'warning',
  title: 'VMIs with strategy External have no controller that would move them',
  explains:
    'Under `External` KubeVirt only marks a VMI that is to be evicted, refuses the eviction and does nothing more, even for ' +
    'a VM that could live-migrate. Somebody else must notice the mark and move or delete the VMI; cluster-api-provider-kubevirt ' +
    'does for VMs that have a KubevirtMachine of their name. Without anybody, a drain of the node never ends.',
  needs: [KIND, 'KubevirtMachine'],
  find: (cluster) => {
    const orphaned = cluster.runningVmis().filter((vmi) => isOrphaned(cluster, vmi));
    return found(
      KIND,
      orphaned,
      (vmi) => vmi,
      (first, count, all) => ({
        cause:
          `${counted(count, 'VMI')} ${verb(count, 'has', 'have')} strategy External, and no KubevirtMachine has ${verb(count, 'its name', 'their names')}: a drain waits until somebody moves or deletes ${verb(count, 'it', 'them')}` +
          `${markedAmong(all)}.`,
        cure: `Make sure that a controller acts on evictions (\`kubectl get kubevirtmachines -A\`), or let KubeVirt do it from the next start on: ${setStrategy(first, STRATEGY.liveMigrateIfPossible)}`,
        evidence: [
          ...strategyEvidence(first, cluster.settings),
          vmiField(first, 'status.evacuationNodeName', first.status?.evacuationNodeName),
        ],
      }),
    );
  },
};

function markedAmong(vmis: readonly Vmi[]): string {
  const marked = vmis.filter(isMarked).length;
  return marked > 0 ? `, as it does for the ${marked} that ${verb(marked, 'is', 'are')} marked now` : '';
}

/** Nobody that the input or the user names looks after the VMI. */
function isOrphaned({ fleet, settings, forecast }: LintContext, vmi: Vmi): boolean {
  if (effectiveStrategy(vmi, settings) !== STRATEGY.external) return false;
  if (forecast.external !== 'unknown') return forecast.external === 'none';
  return fleet.get('KubevirtMachine', keyOf(vmi)) === undefined;
}

export const workerStaysFailed: LintRule = {
  code: 'DRV032',
  name: 'WorkerStaysFailed',
  severity: 'warning',
  title: 'machines are marked as failed for ever, although their VMs run again',
  explains:
    'When a worker that cannot migrate is evicted, CAPK sets `failureReason` on its KubevirtMachine and restarts the VM in the ' +
    'same go. It never takes the reason back (v0.1.10), and neither does Cluster API take back its copy: the Machine stays in ' +
    'phase Failed. A MachineHealthCheck replaces it as soon as its limit allows, which can be long after the drain.',
  needs: ['KubevirtMachine', 'VirtualMachine', KIND],
  find: (cluster) => {
    const stale = [...cluster.fleet.all('KubevirtMachine')]
      .filter((machine) => isStaleFailure(cluster, machine))
      .sort(byKey);
    return found(
      'KubevirtMachine',
      stale,
      (machine) => machine,
      (first, count) => ({
        cause: `${counted(count, 'KubevirtMachine')} ${verb(count, 'carries', 'carry')} failureReason ${first.status?.failureReason} although ${verb(count, 'its VM runs', 'their VMs run')} and nothing is wrong with ${verb(count, 'it', 'them')} now (${keyOf(first)}: ${first.status?.failureMessage ?? 'no message'}).`,
        cure: `Replace the worker at a time that suits, by deleting its Machine: \`kubectl delete machine ${machineOf(first)}\``,
        evidence: [
          field(first, 'status.failureReason', first.status?.failureReason, 'KubevirtMachine'),
          field(first, 'status.failureMessage', first.status?.failureMessage, 'KubevirtMachine'),
        ],
      }),
    );
  },
};

/** The reason is set, and CAPK would not set it now. */
function isStaleFailure({ fleet }: LintContext, machine: KubevirtMachine): boolean {
  const vmi = fleet.get(KIND, keyOf(machine));
  if (!machine.status?.failureReason || vmi?.status?.phase !== 'Running') return false;
  const vm = fleet.get('VirtualMachine', keyOf(machine));
  return !resultOf(capkTerminalTable, { vm, vmi }).terminal;
}

/** The Machine that owns the KubevirtMachine, as a command names it. */
function machineOf(machine: KubevirtMachine): string {
  const owner = machine.metadata.ownerReferences?.find(({ kind }) => kind === 'Machine');
  return `-n ${shellWord(machine.metadata.namespace ?? 'default')} ${shellWord(owner?.name ?? machine.metadata.name)}`;
}

export const healthCheckNeverActs: LintRule = {
  code: 'DRV033',
  name: 'HealthCheckNeverActs',
  severity: 'warning',
  title: 'a health check can never have a worker replaced, because its group is too small',
  explains:
    'A percentage in `maxUnhealthy` is taken of the machines of the group and rounded down: 50% of one machine is none. With ' +
    'such a limit not even one failed worker is replaced. After an evacuation its VM is restarted in place and its Machine ' +
    'stays in phase Failed, until the group grows; then it is replaced at a time that nobody chose. A limit that is no ' +
    'number and no percentage has the same effect.',
  needs: ['MachineHealthCheck', 'Machine'],
  find: ({ fleet }) => {
    const machines = new Map(
      grouped(fleet.all('Machine'), inNamespace).map((group) => [inNamespace(group[0]), group]),
    );
    const never = [...fleet.all('MachineHealthCheck')]
      .sort(byKey)
      .map((check) => ({ check, size: groupSize(check, machines.get(inNamespace(check)) ?? []) }))
      .filter(({ check, size }) => size > 0 && !mayRemediateOne(check, size));
    return found(
      'MachineHealthCheck',
      never,
      ({ check }) => check,
      ({ check, size }, count) => ({
        cause: `${counted(count, 'health check')} ${verb(count, 'replaces', 'replace')} no machine at all: maxUnhealthy of ${keyOf(check)} is ${check.spec?.maxUnhealthy}, of ${counted(size, 'machine')} that comes to ${remediationLimit(check, size) ?? 'nothing'}.`,
        cure: `Allow one at least, or give the group a second machine: \`kubectl patch machinehealthcheck ${target(check)} --type merge -p '{"spec":{"maxUnhealthy":1}}'\``,
        evidence: [field(check, 'spec.maxUnhealthy', check.spec?.maxUnhealthy, 'MachineHealthCheck')],
      }),
    );
  },
};

function inNamespace(object: { metadata: ObjectMeta } | undefined): string {
  return object?.metadata.namespace ?? '';
}

/** How many machines that are VMs here the check looks after. */
function groupSize(check: MachineHealthCheck, machines: readonly Machine[]): number {
  return machines.filter((machine) => isVm(machine) && isTarget(check, machine)).length;
}

function isVm(machine: Machine): boolean {
  return machine.spec?.infrastructureRef?.kind === 'KubevirtMachine';
}

/** A limit that says zero in so many words is meant so. */
function mayRemediateOne(check: MachineHealthCheck, size: number): boolean {
  const meant = check.spec?.maxUnhealthy;
  return meant === 0 || meant === '0%' || (remediationLimit(check, size) ?? 0) >= 1;
}
