import { CONDITION, LABEL, TAINT } from '../../kubevirt/names.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';

/**
 * virt-handler runs where KubeVirt has said something of the node, be it that it takes no VMs. On a node that is out of service its DaemonSet,
 * which does not tolerate that, has no pod and wants none (Kubernetes pkg/controller/daemon, NodeShouldRunDaemonPod).
 */
export function hasHandler({ metadata, spec }: Node): boolean {
  const isOutOfService = spec?.taints?.some(({ key }) => key === TAINT.outOfService) ?? false;
  return metadata.labels?.[LABEL.schedulable] !== undefined && !isOutOfService;
}

/**
 * Nodes whose virt-handler counts as not ready, in the given order: Kubernetes says so of every pod of a node that is not Ready. A node of
 * which nothing is said is.
 *
 * While there is one virt-operator does not get on to virt-controller, nor tells of a roll-out that is done. kubevirt v1.9.0
 * pkg/virt-operator/kubevirt.go:1053-1126.
 */
export function nodesWithoutReadyHandler(nodes: Iterable<Node>): Node[] {
  return [...nodes].filter((node) => {
    const ready = findCondition(node.status?.conditions, CONDITION.ready);
    return hasHandler(node) && ready !== undefined && ready.status !== 'True';
  });
}
