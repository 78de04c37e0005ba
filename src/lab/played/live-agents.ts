import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, Metrics } from '../../controllers/ports.ts';
import type { Kind } from '../../fleet/fleet.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { LiveCluster } from '../../kubernetes/live-cluster.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { writingAs } from '../../kubernetes/writing-as.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { isReadAnnotation } from '../../kubevirt/projection.ts';
import { KUBEVIRT_ACCOUNT, NODE_NAME_EXTRA, userOf } from '../../kubevirt/requester.ts';
import { firstOf } from '../../kubevirt/words.ts';
import { nodeAgents } from '../../simulation/actors/node/node-agents.ts';
import type { NodeDescription } from '../../simulation/actors/node/node-objects.ts';
import type { NodeTimes } from '../../simulation/actors/node/options.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { isLabAnnotation } from '../../simulation/guests/lab-annotations.ts';
import { LabError } from '../errors.ts';
import { KUBEVIRT_NAMESPACE } from '../objects/first-objects.ts';
import { undoAll } from '../undo.ts';
import { keepLeases } from './node-leases.ts';
import { playedNodeInfo } from './played-kubelets.ts';

export interface LiveAgentsOptions {
  /** Gives up what has not come up yet. */
  readonly signal: AbortSignal;
  /** How long the first lists, and then the nodes, may take; a minute where absent. */
  readonly patienceSeconds?: number | undefined;
  /** The agents' own account. */
  readonly api: ApiClient;
  readonly nodes: readonly NodeDescription[];
  readonly times: NodeTimes;
  readonly behaviorOf: BehaviorOf;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Marks the nodes that are played: all others have agents of their own. */
export const PLAYED_LABEL = 'drover.dev/lab-node';

const KINDS: readonly Kind[] = ['KubeVirt', 'Node', 'Pod', 'VirtualMachineInstance'];
const VMIS: ReadonlySet<Kind> = new Set<Kind>(['VirtualMachineInstance']);
const STEPS_AT_ONCE = 32;

/** Node agents on a cluster of somebody else's. */
export interface LiveAgents {
  readonly cluster: LiveCluster;
  stop(): Promise<void>;
}

/**
 * kubelets, virt-handlers and guests alone. VMIs are written in the name of virt-handler on their node, everything else by the
 * agents' own account. Resolves when the nodes are there; nodes without the label are left alone. Rejects with `AgentsRefused`, and
 * leaves nothing running, where they do not come up.
 */
export async function startLiveAgents(options: LiveAgentsOptions): Promise<LiveAgents> {
  const { api, log, metrics } = options;
  const keepAnnotation = (name: string): boolean => isReadAnnotation(name) || isLabAnnotation(name);
  const cluster = new LiveCluster({ api, log, metrics, kinds: KINDS, keepAnnotation });
  const undo: (() => unknown)[] = [() => cluster.stop()];
  cluster.start();
  try {
    await until(
      () => cluster.isSynced(),
      options,
      () => unlisted(cluster),
    );
    await play(cluster, options, undo);
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
  return { cluster, stop: () => undoAll(undo) };
}

async function play(
  cluster: LiveCluster,
  options: LiveAgentsOptions,
  undo: (() => unknown)[],
): Promise<void> {
  const { api, times, behaviorOf, log, metrics } = options;
  const namespace = cluster.fleet.kubevirt()?.metadata.namespace ?? KUBEVIRT_NAMESPACE;
  const user = userOf(KUBEVIRT_ACCOUNT.handler, namespace);
  const info = await playedNodeInfo(api);
  const nodes = options.nodes.map((node) => ({
    ...{ ...node, info },
    labels: { ...node.labels, [PLAYED_LABEL]: 'true' },
  }));
  const isPlayed = (node: string): boolean => hasAgents(cluster.fleet.get('Node', node));
  const context = { cluster, clock: wallClock, random: systemRandom, log, metrics };
  const agents = nodeAgents(context, {
    ...{ nodes, times, behaviorOf, stepsAtOnce: STEPS_AT_ONCE, plays: isPlayed },
    clusterFor: (node) =>
      writingAs(cluster, api.impersonating({ user, extra: { [NODE_NAME_EXTRA]: node } }), VMIS),
  });
  agents.start();
  undo.push(() => agents.stop());
  undo.push(keepLeases(api, wallClock, () => nodes.map(({ name }) => name)));
  const missing = (): string[] => nodes.map(({ name }) => name).filter((name) => !isPlayed(name));
  await until(
    () => missing().length === 0,
    options,
    () => `these nodes do not come up: ${firstOf(missing())}`,
  );
}

/** Whether a node has agents of its own, which `drover lab agents` runs. */
export function hasAgents(node: Node | undefined): boolean {
  return node?.metadata.labels?.[PLAYED_LABEL] !== undefined;
}

/** What the first lists wait for, and why. */
function unlisted(cluster: LiveCluster): string {
  return [...cluster.standings()]
    .filter(([, { settled }]) => !settled)
    .map(([kind, { problem = 'no answer' }]) => `${kind} cannot be listed: ${problem}`)
    .join('; ');
}

async function until(
  isSo: () => boolean,
  { signal, patienceSeconds = 60 }: LiveAgentsOptions,
  why: () => string,
): Promise<void> {
  const end = Date.now() + patienceSeconds * 1000;
  while (!isSo()) {
    signal.throwIfAborted();
    if (Date.now() > end) throw new LabError('AgentsRefused', why());
    await sleep(50);
  }
}
