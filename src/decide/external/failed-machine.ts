import type { Machine, MachineHealthCheck } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { field } from '../evidence.ts';
import { decide, type Evidence, type Rule, resultOf, type Table } from '../rules.ts';
import { afterDeletion } from './external-input.ts';
import { machineHealthTable } from './machine-health.ts';
import { countHealth, type HealthCount, remediationLimit, remediationTable } from './machine-health-check.ts';
import { replacementTable } from './machine-set.ts';

const CHECK = 'cluster-api v1.10.1 internal/controllers/machinehealthcheck/machinehealthcheck_controller.go';
const SET = 'cluster-api v1.10.1 internal/controllers/machineset/machineset_controller.go';

/** A Machine that has just been marked as failed, and who looks after it. */
export interface FailedMachine {
  readonly machine: Machine;
  readonly healthCheck: MachineHealthCheck;
  /** All Machines, this one among them. */
  readonly machines: readonly Machine[];
  readonly now: Instant;
  /** How many others of the same health check fail with it. */
  readonly alsoFailing: number;
  /** As in `ExternalInput`. */
  readonly staysOff?: string | undefined;
}

/** What follows, as a clause: capk-external §4 and §5 of the spec. */
export const failedMachineTable: Table<FailedMachine, string> = [
  {
    name: 'RemediationHeldBack',
    asks: 'more machines would be other than healthy than the MachineHealthCheck allows',
    source: CHECK,
    when: (failed) => remediationOf(failed).result === 'held-back',
    reads: readCheck,
    then: (failed) => {
      const { expected } = countAfter(failed);
      const limit =
        remediationLimit(failed.healthCheck, expected) ?? 'a limit that it does not state properly';
      const { name } = failed.healthCheck.metadata;
      return `${staysFailed(failed)}: ${tellUnhealthy(failed)} machines would not be healthy, and MachineHealthCheck ${name} replaces none beyond ${limit}`;
    },
  },
  {
    name: 'MachineKept',
    asks: 'no MachineSet replaces the Machine',
    source: SET,
    when: ({ machine }) => resultOf(replacementTable, { machine }) === 'kept',
    reads: readReplacement,
    then: (failed) => `${staysFailed(failed)}: no MachineSet replaces it`,
  },
  {
    name: 'MachineReplaced',
    asks: 'the MachineHealthCheck has the Machine replaced',
    source: CHECK,
    when: () => true,
    reads: (failed) => [...readCheck(failed), ...readReplacement(failed)],
    then: ({ machine, healthCheck }) =>
      `MachineHealthCheck ${healthCheck.metadata.name} has Machine ${machine.metadata.name} replaced by a new one`,
  },
];

/** The clause for a Machine that nobody replaces. */
export function staysFailed(failed: Unreplaced): string {
  const end = failed.staysOff === undefined ? `${afterDeletion(failed)} in place` : afterDeletion(failed);
  return `${end}, and Machine ${failed.machine.metadata.name} stays failed`;
}

interface Unreplaced extends Pick<FailedMachine, 'staysOff'> {
  readonly machine: { readonly metadata: { readonly name: string } };
}

/** The health of the group once this machine, and those that fail with it, are failed. */
function countAfter({ machine, healthCheck, machines, now, alsoFailing }: FailedMachine): HealthCount {
  const { expected, healthy, unhealthy } = countHealth(
    healthCheck,
    machines.map((one) => ({ machine: one, now })),
  );
  const before = resultOf(machineHealthTable, { machine, healthCheck, now });
  const losing = alsoFailing + (before === 'healthy' ? 1 : 0);
  const failing = alsoFailing + (before === 'unhealthy' ? 0 : 1);
  return {
    expected,
    healthy: Math.max(healthy - losing, 0),
    unhealthy: Math.min(unhealthy + failing, expected),
  };
}

function remediationOf(failed: FailedMachine) {
  return decide(remediationTable, { healthCheck: failed.healthCheck, count: countAfter(failed) });
}

function tellUnhealthy(failed: FailedMachine): string {
  const { expected, healthy } = countAfter(failed);
  return `${expected - healthy} of ${expected}`;
}

function readCheck(failed: FailedMachine): Evidence[] {
  const count = tellUnhealthy(failed);
  return [
    ...remediationOf(failed).evidence,
    field(failed.healthCheck, 'machines that would not be healthy', count, 'MachineHealthCheck'),
  ];
}

function readReplacement({ machine }: FailedMachine): readonly Evidence[] {
  return decide(replacementTable, { machine }).evidence;
}

export type FailedMachineRule = Rule<FailedMachine, string>;
