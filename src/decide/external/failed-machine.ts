import { field } from '../evidence.ts';
import { decide, type Evidence, type Rule } from '../rules.ts';
import type { ExternalInput } from './external-input.ts';
import { machineHealthTable } from './machine-health.ts';
import {
  countHealth,
  type HealthCount,
  type RemediationInput,
  remediationLimit,
  remediationTable,
} from './machine-health-check.ts';
import { replacementTable } from './machine-set.ts';

const CHECK = 'cluster-api v1.10.1 internal/controllers/machinehealthcheck/machinehealthcheck_controller.go';
const IN_PLACE = 'the VM restarts in place';

/** What follows for a worker whose Machine CAPK has had marked as failed, as a clause: capk-external §4 and §5 of the spec. */
export const failedMachineRules: readonly Rule<ExternalInput, string>[] = [
  {
    name: 'MachineNotInInput',
    asks: 'the input does not tell the Machine or the health checks',
    source: CHECK,
    when: ({ objects, worker }) => !worker.machine || objects.healthChecks === undefined,
    reads: () => [],
    then: () =>
      'the VM restarts, and whether its Machine is replaced besides depends on Machines and MachineHealthChecks that are not in the input',
  },
  {
    name: 'NoHealthCheck',
    asks: 'no MachineHealthCheck looks after the Machine',
    source: CHECK,
    when: ({ worker }) => !worker.healthCheck,
    reads: () => [],
    then: (input) =>
      `${IN_PLACE}, and ${machineOf(input)} stays failed: no MachineHealthCheck looks after it`,
  },
  {
    name: 'RemediationHeldBack',
    asks: 'more machines would be other than healthy than the MachineHealthCheck allows',
    source: CHECK,
    when: (input) => isHeldBack(input),
    reads: readCheck,
    then: (input) => {
      const { expected, healthy } = countAfter(input);
      return `${IN_PLACE}, and ${machineOf(input)} stays failed: ${expected - healthy} of ${expected} machines would not be healthy, and ${checkOf(input)} replaces none beyond ${limitOf(input) ?? 'a limit that it does not state properly'}`;
    },
  },
  {
    name: 'MachineKept',
    asks: 'no MachineSet replaces the Machine',
    source: CHECK,
    when: ({ worker: { machine } }) =>
      machine !== undefined && decide(replacementTable, { machine }).result === 'kept',
    reads: readReplacement,
    then: (input) => `${IN_PLACE}, and ${machineOf(input)} stays failed: no MachineSet replaces it`,
  },
  {
    name: 'MachineReplaced',
    asks: 'the MachineHealthCheck has the Machine replaced',
    source: CHECK,
    when: () => true,
    reads: (input) => [...readCheck(input), ...readReplacement(input)],
    then: (input) => `${checkOf(input)} has ${machineOf(input)} replaced by a new one`,
  },
];

function machineOf({ worker }: ExternalInput): string {
  return `Machine ${worker.machine?.metadata.name}`;
}

function checkOf({ worker }: ExternalInput): string {
  return `MachineHealthCheck ${worker.healthCheck?.metadata.name}`;
}

function limitOf(input: ExternalInput): number | undefined {
  const { healthCheck } = input.worker;
  return healthCheck && remediationLimit(healthCheck, countAfter(input).expected);
}

/** The health of the group once this machine, and those that fail with it, are failed. */
export function countAfter({ worker, objects, now, alsoFailing = 0 }: ExternalInput): HealthCount {
  const { machine, healthCheck } = worker;
  if (!machine || !healthCheck) return { expected: 0, healthy: 0, unhealthy: 0 };
  const count = countHealth(
    healthCheck,
    (objects.machines ?? []).map((one) => ({ machine: one, now })),
  );
  const health = decide(machineHealthTable, { machine, healthCheck, now }).result;
  const losing = alsoFailing + (health === 'healthy' ? 1 : 0);
  const failing = alsoFailing + (health === 'unhealthy' ? 0 : 1);
  return {
    ...count,
    healthy: Math.max(count.healthy - losing, 0),
    unhealthy: Math.min(count.unhealthy + failing, count.expected),
  };
}

function isHeldBack(input: ExternalInput): boolean {
  return remediation(input)?.result === 'held-back';
}

function remediation(input: ExternalInput) {
  const { healthCheck } = input.worker;
  if (!healthCheck) return undefined;
  const asked: RemediationInput = { healthCheck, count: countAfter(input) };
  return decide(remediationTable, asked);
}

function readCheck(input: ExternalInput): Evidence[] {
  const { healthCheck } = input.worker;
  if (!healthCheck) return [];
  const { expected, healthy } = countAfter(input);
  return [
    ...(remediation(input)?.evidence ?? []),
    field(
      healthCheck,
      'machines that would not be healthy',
      `${expected - healthy} of ${expected}`,
      'MachineHealthCheck',
    ),
  ];
}

function readReplacement({ worker: { machine } }: ExternalInput): readonly Evidence[] {
  return machine ? decide(replacementTable, { machine }).evidence : [];
}
