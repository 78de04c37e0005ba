import type { Cluster } from '../../../controllers/ports.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { TAINT } from '../../../kubevirt/names.ts';
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

/** Says of a node that its machine is off for good: it takes no pods any more, and those that it had may be taken away. */
export function takeOutOfService(cluster: Cluster, node: string): Promise<ApiResult> {
  return cluster.modify('Node', node, (held) => {
    const taints = held.spec?.taints ?? [];
    if (taints.some(({ key }) => key === TAINT.outOfService)) return undefined;
    const taint = { key: TAINT.outOfService, value: 'nodeshutdown', effect: 'NoExecute' };
    return { ...held, spec: { ...held.spec, taints: [...taints, taint] } };
  });
}

/** Takes that back, as one does whose machine runs again. */
export function takeIntoService(cluster: Cluster, node: string): Promise<ApiResult> {
  return cluster.modify('Node', node, (held) => {
    const taints = held.spec?.taints?.filter(({ key }) => key !== TAINT.outOfService);
    if (taints?.length === held.spec?.taints?.length) return undefined;
    return { ...held, spec: { ...held.spec, taints } };
  });
}
