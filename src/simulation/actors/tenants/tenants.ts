/** What the owners of VMs and the operators of the cluster do, each a call of its own. */
import type { Cluster } from '../../../controllers/ports.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { decide } from '../../../decide/rules.ts';
import {
  SUBRESOURCE_TABLES,
  type SubresourceCall,
  type SubresourceEffect,
} from '../../../decide/run-strategy/subresources.ts';
import type { Kind, KindMap } from '../../../fleet/fleet.ts';
import { mergePatched } from '../../../kubevirt/merge-patch.ts';
import type { VirtualMachine } from '../../../kubevirt/objects.ts';
import type { ActorContext } from '../actor.ts';
import { silentNode } from '../cluster/silent-node.ts';

/** `kubectl patch --type=merge`: of the object, or of its status. */
export function mergePatch<K extends Kind>(
  cluster: Cluster,
  kind: K,
  key: string,
  patch: object,
  subresource?: 'status',
): Promise<ApiResult> {
  const change = (held: KindMap[K]): KindMap[K] => mergePatched(held, patch);
  return cluster.modify(kind, key, change, { subresource });
}

/** `kubectl edit vm`, as a merge patch: `{ spec: { template: … } }`. */
export function editVm(cluster: Cluster, key: string, patch: object): Promise<ApiResult> {
  return mergePatch(cluster, 'VirtualMachine', key, patch);
}

/** Another spec of the KubeVirt CR, as a merge patch of it. */
export function configure(cluster: Cluster, spec: object): Promise<ApiResult> {
  const { namespace, name = '' } = cluster.fleet.kubevirt()?.metadata ?? {};
  return mergePatch(cluster, 'KubeVirt', `${namespace}/${name}`, { spec });
}

/** `virtctl start`, `stop` and `restart`; a refusal is a 409 in virt-api's words. A VM that is not there is a 404. */
export async function callVm(
  cluster: Cluster,
  key: string,
  call: SubresourceCall['call'],
): Promise<ApiResult> {
  const vm = cluster.fleet.get('VirtualMachine', key);
  const vmi = cluster.fleet.get('VirtualMachineInstance', key);
  if (!vm) return { ok: false, code: 404, reason: 'NotFound', message: notFound(key) };
  const { result } = decide(SUBRESOURCE_TABLES[call], { call, vm, vmi });
  if ('refusal' in result) return { ok: false, code: 409, reason: 'Conflict', message: result.refusal };
  const subresource = 'spec' in result ? undefined : 'status';
  return cluster.modify('VirtualMachine', key, (held) => withEffect(held, result), { subresource });
}

function withEffect(
  vm: VirtualMachine,
  effect: Exclude<SubresourceEffect, { refusal: string }>,
): VirtualMachine {
  if ('spec' in effect) return { ...vm, spec: { ...vm.spec, ...effect.spec } };
  return { ...vm, status: { ...vm.status, stateChangeRequests: [...effect.stateChangeRequests] } };
}

function notFound(key: string): string {
  return `virtualmachine.kubevirt.io "${key.slice(key.indexOf('/') + 1)}" not found`;
}

/** Somebody who can let the machine under a node fall and come back. */
export interface Rebooter {
  rebootNode(node: string, downSeconds: number): void;
}

/** Lets nodes boot anew, each away for so long; what comes back resolves when the node is up and reports again. */
export function rebootWith(
  context: ActorContext,
  agents: Rebooter,
  downSeconds: number,
): (node: string) => Promise<void> {
  return async (node) => {
    const silent = silentNode(context, node);
    agents.rebootNode(node, downSeconds);
    await new Promise<void>((resolve) => void context.clock.after(downSeconds, resolve));
    await silent.back();
  };
}
