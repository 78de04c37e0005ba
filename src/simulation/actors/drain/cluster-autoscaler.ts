import type { DrainClient } from '../../../decide/drain/clients.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { TAINT } from '../../../kubevirt/names.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { ActorContext } from '../actor.ts';
import { Course, type Running } from '../course.ts';
import { EvictionRun, type PodEnd } from './eviction-run.ts';
import { judgePodsOf, podsToEvict } from './node-pods.ts';

export interface ScaleDownOptions {
  readonly node: string;
  readonly client: DrainClient;
  /** The cloud takes the machine away; absent: the Node is deleted. */
  readonly removeNode?: ((node: string) => Promise<void>) | undefined;
}

export interface ScaleDownResult {
  /** `unremovable`: a pod keeps the node from ever being tried. `abandoned`: it was tried in vain and is in use again. */
  readonly end: 'removed' | 'unremovable' | 'abandoned' | 'cancelled';
  readonly reason?: string | undefined;
  readonly pods: readonly PodEnd[];
}

const COMPONENT = 'cluster-autoscaler';

/** The cluster-autoscaler tries to get rid of one node, once. cluster-autoscaler v1.36 core/scaledown/actuation. */
export function scaleDown(context: ActorContext, options: ScaleDownOptions): Running<ScaleDownResult> {
  const course = new Course(context.cluster, context.clock);
  return { done: attempt(context, options, course), cancel: () => course.cancel() };
}

async function attempt(
  context: ActorContext,
  options: ScaleDownOptions,
  course: Course,
): Promise<ScaleDownResult> {
  const { cluster, clock } = context;
  const { node, client } = options;
  const judged = judgePodsOf(cluster.fleet, node, client, clock.now());
  const obstacle = judged.find(({ selected }) => selected.fatal);
  if (obstacle) {
    course.close();
    const { message } = obstacle.selected;
    const key = keyOf(obstacle.pod);
    const reason = message.includes(key) ? message : `${key}: ${message}`;
    return { end: 'unremovable', reason, pods: [] };
  }
  await cluster.modify('Node', node, (held) => withDeletionTaint(held, true));
  cluster.recordEvent(nodeEvent(node, 'Normal', 'marked the node as toBeDeleted/unschedulable'), COMPONENT);
  const pods = await evictAll(context, course, client, podsToEvict(judged));
  const { isCancelled } = course;
  course.close();
  if (isCancelled) return { end: 'cancelled', pods };
  return conclude(context, options, pods);
}

function evictAll(
  context: ActorContext,
  course: Course,
  client: DrainClient,
  pods: readonly Pod[],
): Promise<PodEnd[]> {
  for (const pod of pods) context.cluster.recordEvent(podEvent(pod, 'ScaleDown'), COMPONENT);
  return new EvictionRun({ context, course, client }).evict(pods);
}

async function conclude(
  { cluster }: ActorContext,
  { node, removeNode }: ScaleDownOptions,
  pods: readonly PodEnd[],
): Promise<ScaleDownResult> {
  const left = pods.filter(({ end }) => end === 'left');
  if (left.length === 0) {
    await (removeNode?.(node) ?? cluster.delete('Node', node));
    return { end: 'removed', pods };
  }
  for (const { pod } of left) cluster.recordEvent(podEvent(pod, 'ScaleDownFailed'), COMPONENT);
  const reason = `failed to drain the node: ${left.map(({ pod }) => keyOf(pod)).join(', ')} could not be evicted`;
  cluster.recordEvent(nodeEvent(node, 'Warning', reason), COMPONENT);
  await cluster.modify('Node', node, (held) => withDeletionTaint(held, false));
  return { end: 'abandoned', reason, pods };
}

/** With or without the taint that says that the node goes. */
export function withDeletionTaint(node: Node, isTainted: boolean): Node | undefined {
  const taints = node.spec?.taints ?? [];
  const others = taints.filter(({ key }) => key !== TAINT.autoscalerDeletion);
  if (others.length < taints.length === isTainted) return undefined;
  const made = { key: TAINT.autoscalerDeletion, effect: 'NoSchedule' };
  return { ...node, spec: { ...node.spec, taints: isTainted ? [...others, made] : others } };
}

function nodeEvent(name: string, type: EventDraft['type'], message: string): EventDraft {
  return { kind: 'Node', name, type, reason: type === 'Normal' ? 'ScaleDown' : 'ScaleDownFailed', message };
}

function podEvent({ metadata }: Pod, reason: 'ScaleDown' | 'ScaleDownFailed'): EventDraft {
  const { namespace, name } = metadata;
  return reason === 'ScaleDown'
    ? { kind: 'Pod', namespace, name, type: 'Normal', reason, message: 'deleting pod for node scale down' }
    : {
        kind: 'Pod',
        namespace,
        name,
        type: 'Warning',
        reason,
        message: 'failed to delete pod for ScaleDown',
      };
}
