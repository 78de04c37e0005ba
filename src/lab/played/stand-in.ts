import type { Log, Metrics } from '../../controllers/ports.ts';
import { silent } from '../../controllers/silent.ts';
import type { Behavior } from '../../decide/rules.ts';
import { connect } from '../../kubernetes/connect.ts';
import { LiveCluster } from '../../kubernetes/live-cluster.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { isReadAnnotation } from '../../kubevirt/projection.ts';
import { KUBEVIRT_ACCOUNT, userOf } from '../../kubevirt/requester.ts';
import type { Actor, ActorContext } from '../../simulation/actors/actor.ts';
import type { NodeAgents } from '../../simulation/actors/node/node-agents.ts';
import type { NodeAgentOptions } from '../../simulation/actors/node/options.ts';
import { isLabAnnotation } from '../../simulation/guests/lab-annotations.ts';
import { kubevirtActors } from '../../simulation/kubevirt-actors.ts';
import type { Lab } from '../lab.ts';
import { waitFor } from '../wait.ts';
import { closingClock } from './closing-clock.ts';
import { hasAgents } from './live-agents.ts';
import { startPlayedKubelets } from './played-kubelets.ts';
import { startVirtApi } from './virt-api.ts';

export interface StandInOptions {
  /** What launchers are started from; may change, as it does when KubeVirt is upgraded. */
  readonly launcherImage: () => string;
  /** KubeVirt with its known defects, or without them, as where absent. */
  readonly behavior?: Behavior | undefined;
  /** Nodes to bring up, times, and how guests behave: by the `lab/` annotations of their VMIs where nothing is said. */
  readonly nodes?: NodeAgentOptions | undefined;
  /** The namespace of KubeVirt, where it has its accounts; `kubevirt` where absent. */
  readonly namespace?: string | undefined;
  readonly log?: Log | undefined;
  readonly metrics?: Metrics | undefined;
}

/** KubeVirt and the nodes of a lab, played. */
export interface StandIn {
  /** What it sees of the cluster. */
  readonly cluster: LiveCluster;
  /** Nodes can be made to fail, and virt-handlers to pause. */
  readonly agents: NodeAgents;
  /** Context for further actors beside it, such as drain clients; when it stops, nobody is called at his time any more. */
  readonly context: ActorContext;
  stop(): Promise<void>;
}

/** Steps that are written at once, over all nodes: more of them only wait for each other in the API server. */
const STEPS_AT_ONCE = 32;

/**
 * Stands in for what a lab's real control plane lacks: kubelets, virt-handlers and guests, virt-api's admission of new objects, and
 * virt-controller without the workload updater and the evacuation controller, which are Drover's. Scheduler, disruption and quota
 * controllers and the garbage collector are the real ones, so the lab must run them. The definitions of KubeVirt's kinds must be there.
 *
 * Resolves when the nodes are there and objects are admitted; rejects where the lab does not answer.
 */
export async function startStandIn(lab: Lab, options: StandInOptions): Promise<StandIn> {
  const { behavior = 'intended', launcherImage, nodes, namespace = 'kubevirt' } = options;
  const { log = silent.log, metrics = silent.metrics } = options;
  const user = userOf(KUBEVIRT_ACCOUNT.controller, namespace);
  const kubeconfig = await lab.kubeconfigFor({ user, groups: ['system:masters'] });
  const api = connect({ kubeconfig, userAgent: STAND_IN });
  const keepAnnotation = (name: string): boolean => isReadAnnotation(name) || isLabAnnotation(name);
  const cluster = new LiveCluster({ api, log, metrics, keepAnnotation });
  const clock = closingClock(wallClock);
  const context: ActorContext = { cluster, clock, random: systemRandom, log, metrics };
  cluster.start();
  await waitFor(() => cluster.isSynced(), { what: 'the first lists', seconds: 60 });
  const virtApi = await startVirtApi(lab, cluster, { behavior, namespace });
  // Nodes that `drover lab agents` plays have everything from there.
  const plays = (node: string): boolean =>
    (nodes?.plays?.(node) ?? true) && !hasAgents(cluster.fleet.get('Node', node));
  const kubelets = await startPlayedKubelets(lab, cluster, plays);
  const { agents, virtController } = kubevirtActors(
    { contextFor: () => context },
    { behavior, launcherImage, nodes: { stepsAtOnce: STEPS_AT_ONCE, ...nodes, plays } },
  );
  const actors: readonly Actor[] = [agents, ...virtController()];
  for (const actor of actors) actor.start();
  const isUp = () => (nodes?.nodes ?? []).every(({ name }) => cluster.fleet.get('Node', name) !== undefined);
  await waitFor(isUp, { what: 'the nodes', seconds: 60 });
  return {
    cluster,
    agents,
    context,
    async stop() {
      await Promise.all(actors.map((actor) => actor.stop()));
      // Drains that go on for ever, and deeds of a timeline that were still to come.
      clock.close();
      await kubelets.stop();
      await virtApi.stop();
      await cluster.stop();
      await api.close();
    },
  };
}

/** How the audit log tells it from Drover's controllers. */
const STAND_IN = 'stand-in';
