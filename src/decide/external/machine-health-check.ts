import type { MachineHealthCheck } from '../../kubevirt/objects.ts';
import { field } from '../evidence.ts';
import { type Evidence, resultOf, type Table } from '../rules.ts';
import {
  isTarget,
  type MachineHealth,
  type MachineHealthInput,
  machineHealthTable,
} from './machine-health.ts';

const CHECK = 'cluster-api v1.10.1 internal/controllers/machinehealthcheck/machinehealthcheck_controller.go';

/** How many machines of a health check are what. */
export interface HealthCount {
  /** Its targets. */
  readonly expected: number;
  readonly healthy: number;
  readonly unhealthy: number;
}

/** Counts the targets of a health check among machines; others are passed over. */
export function countHealth(
  healthCheck: MachineHealthCheck,
  machines: readonly Omit<MachineHealthInput, 'healthCheck'>[],
): HealthCount {
  const judged = machines
    .filter(({ machine }) => isTarget(healthCheck, machine))
    .map((one) => resultOf(machineHealthTable, { ...one, healthCheck }));
  const of = (health: MachineHealth) => judged.filter((one) => one === health).length;
  return { expected: judged.length, healthy: of('healthy'), unhealthy: of('unhealthy') };
}

/**
 * How many machines may be other than healthy: `maxUnhealthy`, a percentage of the expected ones rounded down; 100% where it
 * is not set. `undefined` where it is malformed, and then nothing is remediated.
 */
export function remediationLimit(healthCheck: MachineHealthCheck, expected: number): number | undefined {
  const max = healthCheck.spec?.maxUnhealthy ?? '100%';
  if (typeof max === 'number') return max;
  const percent = /^(\d+)%$/.exec(max)?.[1];
  return percent === undefined ? undefined : Math.floor((Number(percent) * expected) / 100);
}

export interface RemediationInput {
  readonly healthCheck: MachineHealthCheck;
  readonly count: HealthCount;
}

/** Whether a health check has its unhealthy machines remediated now. Machines that start or go count as not healthy. */
export const remediationTable: Table<RemediationInput, 'allowed' | 'held-back' | 'nothing-to-do'> = [
  {
    name: 'NothingUnhealthy',
    asks: 'no machine is unhealthy',
    source: CHECK,
    when: ({ count }) => count.unhealthy === 0,
    reads: readLimit,
    then: () => 'nothing-to-do',
  },
  {
    name: 'TooManyUnhealthy',
    asks: 'more machines are other than healthy than may be',
    source: CHECK,
    when: ({ healthCheck, count }) => {
      const limit = remediationLimit(healthCheck, count.expected);
      return limit === undefined || count.expected - count.healthy > limit;
    },
    reads: readLimit,
    then: () => 'held-back',
  },
  {
    name: 'RemediationAllowed',
    asks: 'no more machines are other than healthy than may be',
    source: CHECK,
    when: () => true,
    reads: readLimit,
    then: () => 'allowed',
  },
];

function readLimit({ healthCheck }: RemediationInput): Evidence[] {
  return [field(healthCheck, 'spec.maxUnhealthy', healthCheck.spec?.maxUnhealthy, 'MachineHealthCheck')];
}
