import type { ReconcileResult } from '../../../controllers/controller.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import {
  failedWithNode,
  isSilent,
  nodeSilentEvent,
  silentFrom,
  strandedVmis,
  takesVms,
  vmiStrandedEvent,
  withoutVms,
} from '../../../decide/node-heartbeat.ts';
import type { Node, Vmi } from '../../../kubevirt/objects.ts';
import { byKey } from '../../../kubevirt/order.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';

const COMPONENT = 'node-controller';

/** How often a silent node with VMs on it is looked at. */
const RECHECK_SECONDS = 60;

/**
 * virt-controller's watch over virt-handlers: a node whose last heartbeat is older than five minutes takes no more VMs, and VMs of
 * which no launcher is left there have failed. Not to be started where no heartbeats are played.
 */
export function nodeController(context: ActorContext): Actor {
  const { cluster, clock } = context;
  const { fleet } = cluster;

  async function reconcile(name: string): Promise<ReconcileResult> {
    const node = fleet.get('Node', name);
    if (node && !isSilent(node, clock.now())) return { requeueAfterSeconds: secondsToSilence(node) };
    if (node && takesVms(node)) {
      cluster.recordEvent(nodeSilentEvent(node), COMPONENT);
      const result = await cluster.modify('Node', name, withoutVms);
      if (!result.ok && !isNotFound(result)) return { error: result.message };
    }
    const stranded = strandedVmis(name, fleet.vmisOn(name), fleet.podsOn(name)).sort(byKey);
    for (const vmi of stranded) await fail(vmi);
    return fleet.vmisOn(name).length > 0 ? { requeueAfterSeconds: RECHECK_SECONDS } : {};
  }

  async function fail(vmi: Vmi): Promise<void> {
    cluster.recordEvent(vmiStrandedEvent(vmi), COMPONENT);
    await cluster.modify('VirtualMachineInstance', keyOf(vmi), failedWithNode);
  }

  /** A millisecond late: the heartbeat must be older than the limit. */
  function secondsToSilence(node: Node): number | undefined {
    const from = silentFrom(node);
    return from === undefined ? undefined : Math.max(0, from - clock.now()) / 1000 + 0.001;
  }

  return keyedActor({
    name: 'node',
    context,
    keysOf: ({ kind, key }) => (kind === 'Node' ? [key] : []),
    allKeys: () => [...fleet.all('Node')].map(keyOf).sort(),
    reconcile,
  });
}
