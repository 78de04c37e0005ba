import type { Cluster } from '../../../controllers/ports.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import type { Node } from '../../../kubevirt/objects.ts';

/** A node that takes no new pods, or takes them again; one that is so already stays as it is. */
function withCordon(node: Node, isCordoned: boolean): Node | undefined {
  const { unschedulable, ...spec } = node.spec ?? {};
  if (Boolean(unschedulable) === isCordoned) return undefined;
  return { ...node, spec: isCordoned ? { ...spec, unschedulable: true } : spec };
}

/** Keeps new pods off a node, with and without a drain. */
export function cordon(cluster: Cluster, node: string): Promise<ApiResult> {
  return cluster.modify('Node', node, (held) => withCordon(held, true));
}

export function uncordon(cluster: Cluster, node: string): Promise<ApiResult> {
  return cluster.modify('Node', node, (held) => withCordon(held, false));
}
