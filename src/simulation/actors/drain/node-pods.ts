import type { DrainClient } from '../../../decide/drain/clients.ts';
import { type Selected, selectForDrain } from '../../../decide/drain/select.ts';
import type { DrainFacts } from '../../../decide/drain/selection.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { byKey } from '../../../kubevirt/order.ts';
import { findCondition } from '../../../kubevirt/predicates.ts';
import type { Instant } from '../../../kubevirt/time.ts';

/** A pod of a node with what the client decides about it. */
export interface NodePod {
  readonly pod: Pod;
  readonly selected: Selected;
}

/** The pods of a node as a client lists them, by namespace and name, each judged. */
export function judgePodsOf(fleet: Fleet, node: string, client: DrainClient, now: Instant): NodePod[] {
  const isNodeUnreachable = isUnreachable(fleet.get('Node', node));
  return [...fleet.podsOn(node)].sort(byKey).map((pod) => {
    const budgets = fleet.budgetsIn(pod.metadata.namespace ?? '');
    const facts: DrainFacts = {
      now,
      daemonSet: (namespace, name) => fleet.get('DaemonSet', `${namespace}/${name}`),
      knowsDaemonSets: fleet.count('DaemonSet') > 0,
      budgets,
      isNodeUnreachable,
    };
    return { pod, selected: selectForDrain(client, pod, facts) };
  });
}

/** Those that the client takes, in the order given. */
export function podsToEvict(pods: readonly NodePod[]): Pod[] {
  return pods.filter(({ selected }) => selected.selected).map(({ pod }) => pod);
}

/** Its kubelet has stopped reporting. */
function isUnreachable(node: Node | undefined): boolean {
  return findCondition(node?.status?.conditions, 'Ready')?.status === 'Unknown';
}
