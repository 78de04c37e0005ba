import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { deletionStepsOf } from '../../../decide/external/machine-set.ts';
import { withoutFinalizer } from '../../../kubevirt/finalizers.ts';
import { CONDITION, FINALIZER } from '../../../kubevirt/names.ts';
import type { KubevirtMachine, Machine } from '../../../kubevirt/objects.ts';
import { findCondition, keyOf } from '../../../kubevirt/predicates.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { withCondition, withFailureOf, withNode } from './machine-writes.ts';

export interface MachineOptions {
  /** From a VM that is ready to a node in the guest cluster. */
  readonly joinSeconds?: number | undefined;
  /** How long the drain of a guest's node takes; never: it does not end by itself. */
  readonly drainSeconds?: ((machine: Machine) => number | 'never') | undefined;
}

const JOIN_SECONDS = 60;
const DRAIN_SECONDS = 20;
const COMPONENT = 'machine-controller';

/** Cluster API's Machine controller, as far as VMs see of it: failures of the infrastructure, nodes that join, deletions. v1.10.1. */
export function machineController(context: ActorContext, options: MachineOptions = {}): Actor {
  const { cluster, clock } = context;
  const { fleet } = cluster;
  const { joinSeconds = JOIN_SECONDS, drainSeconds = () => DRAIN_SECONDS } = options;
  /** Machines by the infrastructure that they refer to. */
  const machineOf = new Map<string, string>();

  async function reconcile(key: string): Promise<ReconcileResult> {
    const machine = fleet.get('Machine', key);
    if (!machine) return {};
    if (machine.metadata.deletionTimestamp !== undefined) return remove(key, machine);
    const infra = fleet.get('KubevirtMachine', infraKeyOf(machine));
    if (!infra) return {};
    await writeStatus(key, (held) => withFailureOf(held, infra));
    return infra.status?.ready ? join(key, machine, infra) : {};
  }

  /** The node joins so long after the infrastructure was seen to be ready. */
  async function join(key: string, machine: Machine, infra: KubevirtMachine): Promise<ReconcileResult> {
    if (machine.status?.nodeRef?.name) return {};
    const ready = { type: CONDITION.infrastructureReady, status: 'True' };
    await writeStatus(key, (held) => withCondition(held, ready, clock.now()));
    const held = findCondition(machine.status?.conditions, CONDITION.infrastructureReady);
    const readyAt = held?.status === 'True' ? parseInstant(held.lastTransitionTime) : undefined;
    const waitSeconds = ((readyAt ?? clock.now()) - clock.now()) / 1000 + joinSeconds;
    if (waitSeconds > 0) return { requeueAfterSeconds: waitSeconds };
    await writeStatus(key, (now) => withNode(now, infra.metadata.name));
    return {};
  }

  /** Step by step; a step that waits for others is looked at again when something changes. */
  async function remove(key: string, machine: Machine): Promise<ReconcileResult> {
    const [preDrain, drain, , preTerminate] = deletionStepsOf(machine);
    if (preDrain?.hooks?.length) return {};
    const leftSeconds = drainLeft(machine, drain?.limitSeconds);
    if (leftSeconds > 0) return Number.isFinite(leftSeconds) ? { requeueAfterSeconds: leftSeconds } : {};
    if (preTerminate?.hooks?.length) return {};
    const infraKey = infraKeyOf(machine);
    const infra = fleet.get('KubevirtMachine', infraKey);
    if (infra && infra.metadata.deletionTimestamp === undefined) {
      cluster.recordEvent(drainedEvent(machine), COMPONENT);
      await cluster.delete('KubevirtMachine', infraKey);
    }
    if (!infra) await cluster.modify('Machine', key, (held) => withoutFinalizer(held, FINALIZER.machine));
    return {};
  }

  function drainLeft(machine: Machine, limitSeconds = Number.POSITIVE_INFINITY): number {
    if (!machine.status?.nodeRef?.name) return 0;
    const taken = drainSeconds(machine);
    const deletedAt = parseInstant(machine.metadata.deletionTimestamp) ?? clock.now();
    const lasts = Math.min(taken === 'never' ? Number.POSITIVE_INFINITY : taken, limitSeconds);
    return lasts - (clock.now() - deletedAt) / 1000;
  }

  async function writeStatus(key: string, change: (machine: Machine) => Machine | undefined): Promise<void> {
    await cluster.modify('Machine', key, change, { subresource: 'status' });
  }

  /** A Machine that nothing held is gone at once, and its infrastructure goes with it. */
  function keysOf({ kind, key, before, after }: Change): string[] {
    if (kind === 'Machine') {
      if (after) machineOf.set(infraKeyOf(after as Machine), key);
      else void cluster.delete('KubevirtMachine', infraKeyOf(before as Machine));
      return [key];
    }
    const machine = kind === 'KubevirtMachine' ? machineOf.get(key) : undefined;
    return machine === undefined ? [] : [machine];
  }

  return keyedActor({
    name: 'machines',
    context,
    keysOf,
    allKeys: () => {
      const machines = [...fleet.all('Machine')];
      for (const machine of machines) machineOf.set(infraKeyOf(machine), keyOf(machine));
      return machines.map(keyOf).sort();
    },
    reconcile,
  });
}

function infraKeyOf({ metadata, spec }: Machine): string {
  const { namespace = metadata.namespace, name = '' } = spec?.infrastructureRef ?? {};
  return `${namespace}/${name}`;
}

function drainedEvent({ metadata: { namespace, name }, status }: Machine): EventDraft {
  const message = `success draining Machine's node ${JSON.stringify(status?.nodeRef?.name ?? '')}`;
  return { kind: 'Machine', namespace, name, type: 'Normal', reason: 'SuccessfulDrainNode', message };
}
