import { CONDITION, LABEL } from '../../kubevirt/names.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';

/** virt-handler runs where KubeVirt has said something of the node, be it that it takes no VMs. */
export function hasHandler({ metadata }: Node): boolean {
  return metadata.labels?.[LABEL.schedulable] !== undefined;
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
