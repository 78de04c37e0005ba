import type { Log, Metrics } from '../../controllers/ports.ts';
import type { Kind } from '../../fleet/fleet.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { LiveCluster } from '../../kubernetes/live-cluster.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { writingAs } from '../../kubernetes/writing-as.ts';
import { isReadAnnotation } from '../../kubevirt/projection.ts';
import { KUBEVIRT_ACCOUNT, NODE_NAME_EXTRA, userOf } from '../../kubevirt/requester.ts';
import { nodeAgents } from '../../simulation/actors/node/node-agents.ts';
import type { NodeDescription } from '../../simulation/actors/node/node-objects.ts';
import type { NodeTimes } from '../../simulation/actors/node/options.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { isLabAnnotation } from '../../simulation/guests/lab-annotations.ts';
import { KUBEVIRT_NAMESPACE } from '../objects/first-objects.ts';
import { waitFor } from '../wait.ts';
import { keepLeases } from './node-leases.ts';
import { playedNodeInfo } from './played-kubelets.ts';

export interface LiveAgentsOptions {
  /** The agents' own account. */
  readonly api: ApiClient;
  readonly nodes: readonly NodeDescription[];
  readonly times: NodeTimes;
  readonly behaviorOf: BehaviorOf;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Marks the nodes that are played: all others have agents of their own. */
const PLAYED_LABEL = 'drover.dev/lab-node';

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
 * agents' own account. Resolves when the nodes are there; nodes without the label are left alone.
 */
export async function startLiveAgents(options: LiveAgentsOptions): Promise<LiveAgents> {
  const { api, times, behaviorOf, log, metrics } = options;
  const keepAnnotation = (name: string): boolean => isReadAnnotation(name) || isLabAnnotation(name);
  const cluster = new LiveCluster({ api, log, metrics, kinds: KINDS, keepAnnotation });
  cluster.start();
  await waitFor(() => cluster.isSynced(), { what: 'the first lists', seconds: 60 });
  const namespace = cluster.fleet.kubevirt()?.metadata.namespace ?? KUBEVIRT_NAMESPACE;
  const user = userOf(KUBEVIRT_ACCOUNT.handler, namespace);
  const info = await playedNodeInfo(api);
  const nodes = options.nodes.map((node) => ({
    ...{ ...node, info },
    labels: { ...node.labels, [PLAYED_LABEL]: 'true' },
  }));
  const isPlayed = (node: string): boolean =>
    cluster.fleet.get('Node', node)?.metadata.labels?.[PLAYED_LABEL] !== undefined;
  const context = { cluster, clock: wallClock, random: systemRandom, log, metrics };
  const agents = nodeAgents(context, {
    ...{ nodes, times, behaviorOf, stepsAtOnce: STEPS_AT_ONCE, plays: isPlayed },
    clusterFor: (node) =>
      writingAs(cluster, api.impersonating({ user, extra: { [NODE_NAME_EXTRA]: node } }), VMIS),
  });
  agents.start();
  const stopLeases = keepLeases(api, wallClock, () => nodes.map(({ name }) => name));
  const stop = async (): Promise<void> => {
    stopLeases();
    await agents.stop();
    await cluster.stop();
  };
  try {
    const isUp = () => nodes.every(({ name }) => isPlayed(name));
    await waitFor(isUp, { what: 'the nodes', seconds: 60 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { cluster, stop };
}
