import type { DrainClient } from '../../../decide/drain/clients.ts';
import { isTimeUp } from '../../../decide/drain/eviction-loop.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { ActorContext } from '../actor.ts';
import { Course, type Running } from '../course.ts';
import { cordon } from './cordon.ts';
import { judgePodsOf, type NodePod } from './node-pods.ts';

export interface MachineDrainOptions {
  readonly node: string;
  /** Its `timeoutSeconds` is the Machine's `nodeDrainTimeout`. */
  readonly client: DrainClient;
  /** Hears of the pods that are still there, each time they are evicted. */
  readonly waits?: ((pods: readonly string[]) => void) | undefined;
}

export interface MachineDrainResult {
  /** `skipped`: the time for the drain was up, and the machine goes with what is on it. */
  readonly end: 'drained' | 'skipped' | 'cancelled';
  /** Pods that were still there. */
  readonly left: readonly string[];
}

/**
 * Cluster API empties the node whose Machine it deletes: every 20 seconds it looks at the node anew and evicts what is there, also
 * what came since. cluster-api v1.10.1 internal/controllers/machine/drain.
 */
export function machineDrain(
  context: ActorContext,
  options: MachineDrainOptions,
): Running<MachineDrainResult> {
  const course = new Course(context.cluster, context.clock);
  const done = empty(context, options, course).finally(() => course.close());
  return { done, cancel: () => course.cancel() };
}

async function empty(
  context: ActorContext,
  { node, client, waits }: MachineDrainOptions,
  course: Course,
): Promise<MachineDrainResult> {
  const { cluster, clock } = context;
  const startedAt = clock.now();
  await cordon(cluster, node);
  while (!course.isCancelled) {
    const remaining = judgePodsOf(cluster.fleet, node, client, clock.now()).filter(holdsUp);
    if (remaining.length === 0) return { end: 'drained', left: [] };
    const left = remaining.map(({ pod }) => keyOf(pod));
    if (isTimeUp(client, (clock.now() - startedAt) / 1000)) return { end: 'skipped', left };
    waits?.(left);
    for (const { pod, selected } of remaining) if (selected.selected) await evict(context, pod);
    await course.pause(client.retryDelaySeconds);
  }
  return { end: 'cancelled', left: [] };
}

/** To be evicted, or waited for. */
function holdsUp({ selected }: NodePod): boolean {
  return selected.selected || selected.waits === true;
}

function evict({ cluster }: ActorContext, { metadata }: Pod): Promise<unknown> {
  const { name, namespace = '' } = metadata;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  return cluster.evict({ namespace, pod: name, body });
}
