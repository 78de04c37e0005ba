import { DRAIN_CLIENTS, type DrainClient } from '../../../decide/drain/clients.ts';
import { type Selected, selectForDrain, tellErrors } from '../../../decide/drain/select.ts';
import type { DrainFacts } from '../../../decide/drain/selection.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { byKey } from '../../../kubevirt/order.ts';
import { isLauncherPod, isPodFinished } from '../../../kubevirt/predicates.ts';
import { matchesSelector } from '../../../kubevirt/selector.ts';
import type { Context } from '../../context.ts';
import type { DrainQuestion } from '../../questions.ts';

/** A pod on a drained node, and what the client does with it. */
export interface DrainedPod {
  readonly pod: Pod;
  readonly selected: Selected;
}

/** A node as a drain client finds it. */
export interface DrainedNode {
  readonly name: string;
  readonly client: DrainClient;
  /** Every pod that the client looks at, by namespace and name. */
  readonly pods: readonly DrainedPod[];
  /** Why the client touches no pod of the node; empty: it does. */
  readonly errors: readonly string[];
  /** VMs that run there, and those of which a launcher waits there for a migration to end. */
  readonly vmis: readonly Vmi[];
}

/** The client as the question sets it: its flags, its time, its grace period. */
export function clientOf(question: DrainQuestion): DrainClient {
  const client = DRAIN_CLIENTS[question.client];
  const isKubectl = question.client === 'kubectl';
  return {
    ...client,
    flags: isKubectl ? flagsOf(client, question) : { ...client.flags, podSelector: question.podSelector },
    timeoutSeconds: question.timeoutSeconds ?? client.timeoutSeconds,
    gracePeriodSeconds: question.gracePeriodSeconds ?? client.gracePeriodSeconds,
  };
}

function flagsOf(client: DrainClient, question: DrainQuestion): DrainClient['flags'] {
  return {
    ...client.flags,
    ignoreDaemonSets: question.ignoreDaemonsets,
    deleteEmptyDirData: question.deleteEmptydirData,
    force: question.force,
    disableEviction: question.disableEviction,
    podSelector: question.podSelector,
  };
}

/** A node as the client finds it: pods by namespace and name, VMs that run there before those that are to arrive. A node without pods is no error. */
export function drainedNode(context: Context, client: DrainClient, name: string): DrainedNode {
  const { podSelector } = client.flags;
  const listed = context.fleet
    .podsOn(name)
    .filter((pod) => !podSelector || matchesSelector(podSelector, pod.metadata.labels));
  const pods = [...listed]
    .sort(byKey)
    .map((pod) => ({ pod, selected: selectForDrain(client, pod, factsOf(context, pod)) }));
  return { name, client, pods, errors: tellErrors(pods), vmis: vmisAt(context, name) };
}

function factsOf(context: Context, pod: Pod): DrainFacts {
  const { fleet } = context;
  return {
    now: context.now,
    daemonSet: (namespace, name) => fleet.get('DaemonSet', `${namespace}/${name}`),
    knowsDaemonSets: fleet.isKnown('DaemonSet'),
    budgets: fleet.budgetsIn(pod.metadata.namespace ?? ''),
  };
}

function vmisAt({ fleet }: Context, node: string): Vmi[] {
  const running = fleet.vmisOn(node);
  const launchers = fleet.podsOn(node).filter((pod) => isLauncherPod(pod) && !isPodFinished(pod));
  const arriving = launchers.flatMap((pod) => fleet.vmiOfLauncher(pod) ?? []);
  return [...new Set([...running, ...arriving])];
}
