import { CONDITION } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { findCondition, isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { conditionField, field, vmiField } from '../evidence.ts';
import type { Evidence, Rule, Table } from '../rules.ts';
import { type ExternalInput, type ExternalOutcome, handedOver, TERMINAL_CLAUSE } from './external-input.ts';
import {
  type FailedMachine,
  type FailedMachineRule,
  failedMachineTable,
  staysFailed,
} from './failed-machine.ts';

const SPEC = 'cluster-api-provider-kubevirt v0.1.10 pkg/kubevirt/machine.go:414-588';
const PATCH = 'cozystack 0001-backport-eviction-live-migration.diff';
const CHECK = 'cluster-api v1.10.1 internal/controllers/machinehealthcheck/machinehealthcheck_controller.go';
const CONTROLLER = 'cluster-api-provider-kubevirt v0.1.10 controllers/kubevirtmachine_controller.go:188-378';

/**
 * What becomes of a VMI with strategy External once an eviction has marked it: capk-external §5 of the spec. KubeVirt itself
 * never moves such a VMI. Of CAPK it is told what the named build does, defects included.
 */
export const externalOutcomeTable: Table<ExternalInput, ExternalOutcome> = [
  {
    name: 'NobodyActsOnMark',
    asks: 'no controller acts on marks',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/drain/evacuation/evacuation.go:296-477',
    when: ({ controller }) => controller === 'none',
    reads: readStrategy,
    then: ({ vmi }) => ({
      outcome: 'Blocks',
      says: 'refuses eviction: KubeVirt only marks a VMI with strategy External, and no controller acts on the mark',
      remedies: waysOut(vmi),
    }),
  },
  {
    name: 'NoKubevirtMachine',
    asks: 'CAPK is there, but the VM is none of its machines',
    source: CONTROLLER,
    when: ({ controller, objects, worker }) =>
      controller !== 'unknown' && objects.kubevirtMachines !== undefined && !worker.kubevirtMachine,
    reads: readStrategy,
    then: ({ vmi }) => ({
      outcome: 'Blocks',
      says: 'refuses eviction: it is only marked, and CAPK has no KubevirtMachine for it',
      remedies: waysOut(vmi),
    }),
  },
  {
    name: 'CapkBuildUnknown',
    asks: 'the VM is a machine of CAPK, but it is not known of which build',
    source: CONTROLLER,
    when: ({ controller, worker }) => controller === 'unknown' && worker.kubevirtMachine !== undefined,
    reads: readStrategy,
    then: () =>
      handedOver(
        'is handed over to CAPK: it moves the VM or restarts it, and which of the two is for the build of CAPK to say',
        NAME_CONTROLLER,
      ),
  },
  {
    name: 'ExternalControllerUnknown',
    asks: 'it is not known which controller acts on marks',
    source: CONTROLLER,
    when: ({ controller }) => controller === 'unknown',
    reads: readStrategy,
    then: () => handedOver(UNKNOWN_CONTROLLER, NAME_CONTROLLER),
  },
  {
    name: 'CapkWaitsForVmi',
    asks: 'the VMI is not Ready or has no address, and CAPK does nothing before it has',
    source: CONTROLLER,
    when: ({ vmi }) => isNotReady(vmi) || hasNoAddress(vmi),
    reads: ({ vmi }) => [
      conditionField(vmi, CONDITION.ready, 'VirtualMachineInstance'),
      vmiField(vmi, 'status.interfaces', vmi.status?.interfaces),
    ],
    then: ({ vmi }) => ({
      outcome: 'Blocks',
      says: `refuses eviction: it is only marked, and CAPK waits until the VMI ${isNotReady(vmi) ? 'is Ready' : 'has an address'}`,
      remedies: [],
    }),
  },
  {
    name: 'CapkGivesMigrationUp',
    asks: 'the VMI can migrate, but CAPK takes an earlier migration that failed for its own',
    source: PATCH,
    when: ({ controller, vmi }) =>
      controller === 'capk-backport' && isMigratable(vmi) && hasFailedMigration(vmi),
    reads: ({ vmi }) => [
      ...readMigratable({ vmi }),
      vmiField(vmi, 'status.migrationState.failed', vmi.status?.migrationState?.failed),
    ],
    then: () =>
      handedOver(
        "is handed over to CAPK, which does not migrate it, for an earlier migration failed: it drains the guest's node for up to 10 minutes and deletes the VMI, and the VM restarts",
      ),
  },
  {
    name: 'CapkMigrates',
    asks: 'the VMI can migrate, and this build of CAPK migrates it',
    source: PATCH,
    when: ({ controller, vmi }) => controller === 'capk-backport' && isMigratable(vmi),
    reads: readMigratable,
    then: () =>
      handedOver(
        "is handed over to CAPK, which live-migrates it; should that fail, CAPK drains the guest's node and restarts the VM",
      ),
  },
  {
    name: 'CapkDeletesMigratable',
    asks: 'the VMI can migrate, but this build of CAPK does not try',
    source: SPEC,
    when: ({ vmi }) => isMigratable(vmi),
    reads: readMigratable,
    then: () =>
      handedOver(
        "is handed over to CAPK v0.1.10, which deletes the VMI though it could migrate, after draining the guest's node for up to 10 minutes if it finds that node at all; the VM restarts",
        [
          'Set evictionStrategy LiveMigrateIfPossible on the VM and restart it once: then KubeVirt migrates it.',
        ],
      ),
  },
  {
    name: 'MachineNotInInput',
    asks: 'the input does not tell the Machine or the health checks',
    source: CHECK,
    when: ({ objects, worker }) => !worker.machine || objects.healthChecks === undefined,
    reads: readMigratable,
    then: () =>
      handedOver(
        `${TERMINAL_CLAUSE} the VM restarts, and whether its Machine is replaced besides depends on Machines and MachineHealthChecks that are not in the input`,
      ),
  },
  ...failedMachineTable.map(afterTerminal),
  {
    name: 'NoHealthCheck',
    asks: 'no MachineHealthCheck looks after the Machine',
    source: CHECK,
    when: () => true,
    reads: readMachine,
    then: ({ vmi, worker: { machine = vmi } }) =>
      handedOver(`${TERMINAL_CLAUSE} ${staysFailed(machine)}: no MachineHealthCheck looks after it`),
  },
];

const UNKNOWN_CONTROLLER =
  'is only marked for evacuation: its external controller decides, and it is not known which one that is';
const NAME_CONTROLLER = ['Say which controller acts: --external capk-v0.1.10, capk-backport or none.'];

function waysOut(vmi: Vmi): string[] {
  const { name, namespace = '' } = vmi.metadata;
  const now = isMigratable(vmi)
    ? `Migrate ${keyOf(vmi)} by hand: virtctl migrate ${name} -n ${namespace}.`
    : `Shut ${keyOf(vmi)} down: virtctl stop ${name} -n ${namespace}.`;
  return [now, 'Set evictionStrategy LiveMigrateIfPossible on the VM and restart it once.'];
}

/** Only a condition that says so; a running VMI without any is taken as Ready. */
function isNotReady(vmi: Vmi): boolean {
  return findCondition(vmi.status?.conditions, CONDITION.ready)?.status === 'False';
}

/** Only interfaces that are listed and have none; a VMI that lists no interfaces is taken to have an address. */
function hasNoAddress(vmi: Vmi): boolean {
  const { interfaces } = vmi.status ?? {};
  return interfaces !== undefined && interfaces.length > 0 && !interfaces.some(({ ipAddress }) => ipAddress);
}

function hasFailedMigration(vmi: Vmi): boolean {
  return Boolean(vmi.status?.migrationState?.failed);
}

function readStrategy({ vmi, controller }: ExternalInput): Evidence[] {
  return [
    vmiField(vmi, 'spec.evictionStrategy', vmi.spec?.evictionStrategy),
    { object: 'external controller', path: 'build', value: controller },
  ];
}

function readMigratable({ vmi }: Pick<ExternalInput, 'vmi'>): Evidence[] {
  return [conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance')];
}

/** What happens to the Machine goes on from what CAPK does to the VMI, which is the same in both builds. */
function afterTerminal(rule: FailedMachineRule): Rule<ExternalInput, ExternalOutcome> {
  return {
    ...rule,
    when: (input) => failuresOf(input).some(rule.when),
    reads: (input) => [...readMachine(input), ...failuresOf(input).flatMap(rule.reads)],
    then: (input) => handedOver(`${TERMINAL_CLAUSE} ${failuresOf(input).map(rule.then).join('')}`),
  };
}

/** The failed Machine, if a health check looks after it. */
function failuresOf({ worker, objects, now, alsoFailing = 0 }: ExternalInput): FailedMachine[] {
  const { machine, healthCheck } = worker;
  if (!machine || !healthCheck) return [];
  return [{ machine, healthCheck, machines: objects.machines ?? [machine], now, alsoFailing }];
}

function readMachine(input: ExternalInput): Evidence[] {
  const { machine } = input.worker;
  const phase = machine ? [field(machine, 'status.phase', machine.status?.phase, 'Machine')] : [];
  return [...readMigratable(input), ...phase];
}
