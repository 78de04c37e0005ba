import { CONDITION } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { clearMark } from '../evacuation/clear-mark.ts';
import { conditionField, field, vmiField } from '../evidence.ts';
import { decide, type Evidence, type Rule, type Table } from '../rules.ts';
import {
  afterDeletion,
  capkMigrates,
  type ExternalInput,
  type ExternalOutcome,
  FAILED_CLAUSE,
  handedOver,
  saysExternal,
  TERMINAL_CLAUSE,
} from './external-input.ts';
import {
  type FailedMachine,
  type FailedMachineRule,
  failedMachineTable,
  staysFailed,
} from './failed-machine.ts';
import { hasFailedMigration, hasNoAddress, isMarkedElsewhere, isNotReady } from './worker-vmi.ts';

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
    name: 'CapkOverlooksMark',
    asks: "the strategy is the cluster's, CAPK looks for it in the VMI's own spec, and no failed Machine takes the VM along",
    source: SPEC,
    when: (input) => !saysExternal(input) && !isReplaced(input),
    reads: (input) => [...readStrategy(input), ...readMigratable(input)],
    then: ({ vmi }) => ({
      outcome: 'Blocks',
      says: `refuses eviction: it is only marked, and CAPK overlooks the mark, since External is the cluster's strategy and not in the VMI's own spec${isMigratable(vmi) ? '' : '; its Machine is marked as failed for good all the same'}`,
      remedies: [...waysOut(vmi).slice(0, 1), 'Set evictionStrategy External on the VM and restart it once.'],
    }),
  },
  {
    name: 'CapkTakesMarkForDone',
    asks: 'the mark names a node that the VMI has left, which CAPK takes for a migration that has succeeded',
    source: PATCH,
    when: (input) => capkMigrates(input) && isMigratable(input.vmi) && isMarkedElsewhere(input.vmi),
    reads: ({ vmi }) => [
      vmiField(vmi, 'status.evacuationNodeName', vmi.status?.evacuationNodeName),
      vmiField(vmi, 'status.nodeName', vmi.status?.nodeName),
    ],
    then: ({ vmi }) => ({
      outcome: 'Blocks',
      says: `refuses eviction: it still carries the mark of node ${vmi.status?.evacuationNodeName}, which it has left, so CAPK takes it for migrated`,
      remedies: [clearMark(vmi)],
    }),
  },
  {
    name: 'CapkGivesMigrationUp',
    asks: 'the VMI can migrate, but CAPK takes an earlier migration that failed for its own',
    source: PATCH,
    when: (input) => capkMigrates(input) && isMigratable(input.vmi) && hasFailedMigration(input.vmi),
    reads: ({ vmi }) => [
      ...readMigratable({ vmi }),
      vmiField(vmi, 'status.migrationState.failed', vmi.status?.migrationState?.failed),
    ],
    then: (input) =>
      handedOver(
        `is handed over to CAPK, which does not migrate it, for an earlier migration failed: it drains the guest's node for up to 10 minutes and deletes the VMI, and ${afterDeletion(input)}`,
      ),
  },
  {
    name: 'CapkMigrates',
    asks: 'the VMI can migrate, and this build of CAPK migrates it',
    source: PATCH,
    when: (input) => capkMigrates(input) && isMigratable(input.vmi),
    reads: readMigratable,
    then: (input) =>
      handedOver(
        `is handed over to CAPK, which live-migrates it; should that fail, CAPK drains the guest's node and deletes the VMI, and ${afterDeletion(input)}`,
      ),
  },
  {
    name: 'CapkDeletesMigratable',
    asks: 'the VMI can migrate, but this build of CAPK does not try',
    source: SPEC,
    when: ({ vmi }) => isMigratable(vmi),
    reads: readMigratable,
    then: (input) =>
      handedOver(
        `is handed over to CAPK v0.1.10, which deletes the VMI though it could migrate, after draining the guest's node for up to 10 minutes if it finds that node at all; ${afterDeletion(input)}`,
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
    then: (input) =>
      handedOver(
        `${TERMINAL_CLAUSE} ${afterDeletion(input)}, and whether its Machine is replaced besides depends on Machines and MachineHealthChecks that are not in the input`,
      ),
  },
  ...failedMachineTable.map(afterTerminal),
  {
    name: 'NoHealthCheck',
    asks: 'no MachineHealthCheck looks after the Machine',
    source: CHECK,
    when: () => true,
    reads: readMachine,
    then: ({ vmi, worker: { machine = vmi }, staysOff }) =>
      handedOver(
        `${TERMINAL_CLAUSE} ${staysFailed({ machine, staysOff })}: no MachineHealthCheck looks after it`,
      ),
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
    then: (input) => {
      const clause = saysExternal(input) ? TERMINAL_CLAUSE : FAILED_CLAUSE;
      return handedOver(`${clause} ${failuresOf(input).map(rule.then).join('')}`);
    },
  };
}

/** Its Machine fails and is replaced, and the VM goes with it, whatever CAPK does about the mark. */
function isReplaced(input: ExternalInput): boolean {
  return !isMigratable(input.vmi) && wouldBeReplaced(input);
}

/** Whether the Machine is replaced, and the VM goes with it, once it has failed for whatever reason. */
export function wouldBeReplaced(input: ExternalInput): boolean {
  const [failure] = failuresOf(input);
  return failure !== undefined && decide(failedMachineTable, failure).reason === 'MachineReplaced';
}

/** The failed Machine, if a health check looks after it. */
function failuresOf({ worker, objects, now, alsoFailing = 0, staysOff }: ExternalInput): FailedMachine[] {
  const { machine, healthCheck } = worker;
  if (!machine || !healthCheck) return [];
  return [{ machine, healthCheck, machines: objects.machines ?? [machine], now, alsoFailing, staysOff }];
}

function readMachine(input: ExternalInput): Evidence[] {
  const { machine } = input.worker;
  const phase = machine ? [field(machine, 'status.phase', machine.status?.phase, 'Machine')] : [];
  return [...readMigratable(input), ...phase];
}
