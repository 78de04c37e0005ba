import type { DrainClient } from '../../../decide/drain/clients.ts';
import type { ActorContext } from '../actor.ts';
import { Course, type Running } from '../course.ts';
import { cordon, uncordon } from './cordon.ts';
import { EvictionRun, type PodEnd } from './eviction-run.ts';
import { type DrainResult, type KubectlDrainOptions, kubectlDrain } from './kubectl.ts';
import { judgePodsOf, podsToEvict } from './node-pods.ts';

export interface TalosNodeOptions {
  readonly node: string;
  readonly client: DrainClient;
  /** What the node does next, whatever is still on it: it stops every pod and boots anew. */
  readonly reboot?: ((node: string) => Promise<boolean>) | undefined;
}

export interface TalosNodeResult {
  readonly pods: readonly PodEnd[];
  /** What the node writes to its log. */
  readonly log: readonly string[];
  readonly isCancelled: boolean;
}

/**
 * A Talos node that upgrades, shuts down or resets: it evicts what it can in its time and then goes down all the same. Whether
 * it is given back is for whoever started it; the node is, once it has booted.
 */
export function talosNodeDrain(context: ActorContext, options: TalosNodeOptions): Running<TalosNodeResult> {
  const course = new Course(context.cluster, context.clock);
  return { done: emptyAndReboot(context, options, course), cancel: () => course.cancel() };
}

async function emptyAndReboot(
  context: ActorContext,
  { node, client, reboot }: TalosNodeOptions,
  course: Course,
): Promise<TalosNodeResult> {
  const { cluster, clock } = context;
  const log: string[] = [];
  await cordon(cluster, node);
  const pods = podsToEvict(judgePodsOf(cluster.fleet, node, client, clock.now()));
  const talk = { refused: (says: string) => void log.push(says) };
  const ends = await new EvictionRun({ context, course, client, talk }).evict(pods);
  const { isCancelled } = course;
  course.close();
  if (!isCancelled && reboot && (await reboot(node))) await uncordon(cluster, node);
  return { pods: ends, log, isCancelled };
}

export interface TalosctlOptions extends Omit<KubectlDrainOptions, 'nodes'> {
  readonly node: string;
  readonly reboot: (node: string) => Promise<boolean>;
}

/** `talosctl upgrade` or `talosctl reboot --drain`: a drain that fails leaves the node cordoned and running; after one that succeeds it boots and is given back. */
export function talosctlReboot(context: ActorContext, options: TalosctlOptions): Running<DrainResult> {
  const { node, reboot, ...rest } = options;
  const drain = kubectlDrain(context, { ...rest, nodes: [node] });
  const done = drain.done.then(async (result) => {
    if (result.exitCode !== 0) return result;
    if (await reboot(node)) await uncordon(context.cluster, node);
    return result;
  });
  return { done, cancel: () => drain.cancel() };
}
