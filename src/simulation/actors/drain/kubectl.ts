import type { DrainClient } from '../../../decide/drain/clients.ts';
import {
  tellCordon,
  tellDrained,
  tellEvicting,
  tellFailure,
  tellGone,
  tellNodeFailed,
  tellNoNode,
  tellPendingPods,
  tellSelection,
} from '../../../decide/drain/kubectl-output.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import type { ActorContext } from '../actor.ts';
import { Course, type Running } from '../course.ts';
import { cordon } from './cordon.ts';
import { DeletionRun } from './deletion-run.ts';
import { EvictionRun, type PodEnd } from './eviction-run.ts';
import { judgePodsOf, podsToEvict } from './node-pods.ts';

export interface KubectlDrainOptions {
  /** All are cordoned first, then emptied one after another. */
  readonly nodes: readonly string[];
  /** kubectl, or talosctl which has kubectl's library, with the flags and the time that the user gave. */
  readonly client: DrainClient;
  /** The order in which the pods of a node are evicted first; for a replay. Absent: as kubectl was seen to do. */
  readonly order?: ((pods: readonly Pod[]) => readonly Pod[]) | undefined;
  /** Hears when it comes to a node. */
  readonly onNode?: ((node: string) => void) | undefined;
  /** Hears each line as it is printed. */
  readonly print?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined;
}

export interface DrainResult {
  readonly exitCode: 0 | 1;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Nodes that it did not empty. */
  readonly failedNodes: readonly string[];
  /** Every pod that it tried to get rid of, in the order in which that ended. */
  readonly pods: readonly PodEnd[];
  readonly isCancelled: boolean;
}

/** `kubectl drain NODE…`: what it does, what it prints, when it gives up and how it ends. */
export function kubectlDrain(context: ActorContext, options: KubectlDrainOptions): Running<DrainResult> {
  const drain = new KubectlDrain(context, options);
  return { done: drain.run(), cancel: () => drain.cancel() };
}

class KubectlDrain {
  readonly #context: ActorContext;
  readonly #options: KubectlDrainOptions;
  readonly #course: Course;
  readonly #lines: Readonly<Record<'stdout' | 'stderr', string[]>> = { stdout: [], stderr: [] };
  readonly #ends: PodEnd[] = [];

  constructor(context: ActorContext, options: KubectlDrainOptions) {
    this.#context = context;
    this.#options = options;
    this.#course = new Course(context.cluster, context.clock);
  }

  cancel(): void {
    this.#course.cancel();
  }

  async run(): Promise<DrainResult> {
    const { nodes, client } = this.#options;
    const failed = new Map<string, readonly string[]>();
    const unknown = nodes.filter((node) => !this.#context.cluster.fleet.get('Node', node));
    for (const node of unknown) this.#say(tellNoNode(node), 'stderr');
    if (unknown.length > 0) return this.#end(unknown);
    for (const node of nodes) await this.#cordon(node);
    for (const node of nodes) {
      if (this.#course.isCancelled) break;
      this.#options.onNode?.(node);
      const errors = await this.#empty(node);
      if (errors.length > 0) failed.set(node, errors);
      else if (!this.#course.isCancelled) this.#say(tellDrained(node, client.flags.dryRun));
    }
    for (const line of tellFailure([...failed.keys()], [...failed.values()])) this.#say(line, 'stderr');
    return this.#end([...failed.keys()]);
  }

  #end(failedNodes: readonly string[]): DrainResult {
    const { isCancelled } = this.#course;
    this.#course.close();
    const exitCode = failedNodes.length > 0 || isCancelled ? 1 : 0;
    return { exitCode, ...this.#lines, failedNodes, pods: this.#ends, isCancelled };
  }

  async #cordon(node: string): Promise<void> {
    const { dryRun } = this.#options.client.flags;
    const { cluster } = this.#context;
    const wasCordoned = cluster.fleet.get('Node', node)?.spec?.unschedulable === true;
    if (dryRun === 'none') await cordon(cluster, node);
    this.#say(tellCordon(node, wasCordoned, dryRun));
  }

  /** The errors of a node that is not empty in the end; none: it is. */
  async #empty(node: string): Promise<readonly string[]> {
    const { client } = this.#options;
    const judged = this.#judge(node);
    const { errors, warnings } = tellSelection(judged);
    if (errors.length > 0) {
      this.#say(tellNodeFailed(node, errors), 'stderr');
      return errors;
    }
    for (const line of warnings) this.#say(line, 'stderr');
    const pods = podsToEvict(judged);
    if (client.flags.dryRun === 'client') {
      for (const pod of pods) this.#say(tellEvicting(pod, 'client'));
      return [];
    }
    const failures = await this.#remove(pods);
    if (failures.length === 0) return [];
    const pending = podsToEvict(this.#judge(node));
    for (const line of tellPendingPods(node, failures, pending)) this.#say(line, 'stderr');
    this.#say(tellNodeFailed(node, failures), 'stderr');
    return failures;
  }

  async #remove(pods: readonly Pod[]): Promise<readonly string[]> {
    const { client, order = lastFirst } = this.#options;
    const talk = {
      evicting: (pod: Pod) => this.#say(tellEvicting(pod, client.flags.dryRun)),
      refused: (says: string) => this.#say(says, 'stderr'),
      gone: (pod: Pod) => this.#say(tellGone(pod, client)),
    };
    const run = { context: this.#context, course: this.#course, client, talk };
    const ends = client.flags.disableEviction
      ? await new DeletionRun(run).remove(pods)
      : await new EvictionRun(run).evict(order(pods));
    this.#ends.push(...ends);
    return ends.flatMap(({ error }) => error ?? []);
  }

  #judge(node: string) {
    const { cluster, clock } = this.#context;
    return judgePodsOf(cluster.fleet, node, this.#options.client, clock.now());
  }

  #say(line: string, stream: 'stdout' | 'stderr' = 'stdout'): void {
    this.#lines[stream].push(line);
    this.#options.print?.(line, stream);
  }
}

/** Go runs the goroutine that was made last before the others, which come in their order. */
function lastFirst(pods: readonly Pod[]): readonly Pod[] {
  return [...pods.slice(-1), ...pods.slice(0, -1)];
}
