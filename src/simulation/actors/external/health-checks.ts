import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { isTarget, machineHealthTable } from '../../../decide/external/machine-health.ts';
import {
  countHealth,
  type HealthCount,
  remediationTable,
} from '../../../decide/external/machine-health-check.ts';
import { resultOf } from '../../../decide/rules.ts';
import { CONDITION } from '../../../kubevirt/names.ts';
import type { Machine, MachineHealthCheck } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { waitingForRemediation, withCondition } from './machine-writes.ts';

/** How often a check with machines that are not settled is looked at: their times may be over. */
const UNSETTLED_SECONDS = 60;
const COMPONENT = 'machinehealthcheck-controller';

/** Cluster API's MachineHealthCheck: has unhealthy machines remediated while there are not too many of them. v1.10.1. */
export function healthChecks(context: ActorContext): Actor {
  const { cluster, clock } = context;
  const { fleet } = cluster;

  async function reconcile(key: string): Promise<ReconcileResult> {
    const healthCheck = fleet.get('MachineHealthCheck', key);
    if (!healthCheck) return {};
    const now = clock.now();
    const targets = [...fleet.all('Machine')].filter((machine) => isTarget(healthCheck, machine));
    const count = countHealth(
      healthCheck,
      targets.map((machine) => ({ machine, now })),
    );
    const result = resultOf(remediationTable, { healthCheck, count });
    await writeStatus(key, healthCheck, count, result === 'held-back');
    const health = (machine: Machine) => resultOf(machineHealthTable, { machine, healthCheck, now });
    if (result === 'allowed') await remediate(targets.filter((machine) => health(machine) === 'unhealthy'));
    const isUnsettled = targets.some((machine) => health(machine) === 'neither' && !isDeleting(machine));
    return isUnsettled ? { requeueAfterSeconds: UNSETTLED_SECONDS } : {};
  }

  async function remediate(machines: readonly Machine[]): Promise<void> {
    for (const machine of machines) {
      const change = (held: Machine) => waitingForRemediation(held, clock.now());
      await cluster.modify('Machine', keyOf(machine), change, { subresource: 'status' });
    }
  }

  async function writeStatus(
    key: string,
    healthCheck: MachineHealthCheck,
    count: HealthCount,
    isHeldBack: boolean,
  ): Promise<void> {
    const condition = allowedCondition(healthCheck, count, isHeldBack);
    const change = (held: MachineHealthCheck) => {
      const numbers = { expectedMachines: count.expected, currentHealthy: count.healthy };
      const { expectedMachines, currentHealthy } = held.status ?? {};
      const isSame =
        expectedMachines === numbers.expectedMachines && currentHealthy === numbers.currentHealthy;
      const counted = isSame ? held : { ...held, status: { ...held.status, ...numbers } };
      return withCondition(counted, condition, clock.now()) ?? (isSame ? undefined : counted);
    };
    if (!change(healthCheck)) return;
    if (isHeldBack) cluster.recordEvent(restrictedEvent(healthCheck, condition.message ?? ''), COMPONENT);
    await cluster.modify('MachineHealthCheck', key, change, { subresource: 'status' });
  }

  function keysOf({ kind, key, before, after }: Change): string[] {
    if (kind === 'MachineHealthCheck') return [key];
    if (kind !== 'Machine') return [];
    const machines = [before, after].filter((machine) => machine !== undefined) as Machine[];
    return [...fleet.all('MachineHealthCheck')]
      .filter((check) => machines.some((machine) => isTarget(check, machine)))
      .map(keyOf);
  }

  return keyedActor({
    name: 'machine-health-checks',
    context,
    keysOf,
    allKeys: () => [...fleet.all('MachineHealthCheck')].map(keyOf).sort(),
    reconcile,
  });
}

function isDeleting({ metadata }: Machine): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function allowedCondition({ spec }: MachineHealthCheck, count: HealthCount, isHeldBack: boolean) {
  const type = CONDITION.remediationAllowed;
  if (!isHeldBack) return { type, status: 'True', reason: undefined, message: undefined };
  const unhealthy = count.expected - count.healthy;
  const numbers = `total: ${count.expected}, unhealthy: ${unhealthy}, maxUnhealthy: ${spec?.maxUnhealthy ?? '100%'}`;
  const message = `Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (${numbers})`;
  return { type, status: 'False', reason: 'TooManyUnhealthy', message };
}

function restrictedEvent({ metadata: { namespace, name } }: MachineHealthCheck, message: string): EventDraft {
  return {
    kind: 'MachineHealthCheck',
    namespace,
    name,
    type: 'Warning',
    reason: 'RemediationRestricted',
    message,
  };
}
