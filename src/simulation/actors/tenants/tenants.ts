/** What the owners of VMs and the operators of the cluster do, each a call of its own. */

import type { Cluster } from '../../../controllers/ports.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { resultOf } from '../../../decide/rules.ts';
import {
  SUBRESOURCE_TABLES,
  type SubresourceCall,
  type SubresourceEffect,
} from '../../../decide/run-strategy/subresources.ts';
import type { Kind, KindMap } from '../../../fleet/fleet.ts';
import { mergePatched } from '../../../kubevirt/merge-patch.ts';
import { nameIn } from '../../../kubevirt/object-key.ts';
import type { VirtualMachine } from '../../../kubevirt/objects.ts';

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
  const result = resultOf(SUBRESOURCE_TABLES[call], { call, vm, vmi });
  if ('refusal' in result) return { ok: false, code: 409, reason: 'Conflict', message: result.refusal };
  const subresource = 'spec' in result ? undefined : 'status';
  return cluster.modify('VirtualMachine', key, (held) => withEffect(held, result), { subresource });
}

/** `virtctl migrate`: asks for a migration of a running VM. */
export async function migrateVm(cluster: Cluster, key: string): Promise<ApiResult> {
  const vmi = cluster.fleet.get('VirtualMachineInstance', key);
  if (vmi?.status?.phase !== 'Running') {
    const why = `Operation cannot be fulfilled on virtualmachine.kubevirt.io ${JSON.stringify(nameIn(key))}: VM is not running`;
    return { ok: false, code: 409, reason: 'Conflict', message: why };
  }
  const { namespace, name: vmiName } = vmi.metadata;
  return cluster.create('VirtualMachineInstanceMigration', namespace, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { generateName: 'kubevirt-migrate-vm-', namespace },
    spec: { vmiName },
  });
}

/** `virtctl evacuate-cancel`: the mark of an eviction is taken away; a migration that it has started goes on. */
export function cancelEvacuation(cluster: Cluster, key: string): Promise<ApiResult> {
  return cluster.modify('VirtualMachineInstance', key, (held) => {
    const { evacuationNodeName, ...status } = held.status ?? {};
    return evacuationNodeName ? { ...held, status } : undefined;
  });
}

function withEffect(
  vm: VirtualMachine,
  effect: Exclude<SubresourceEffect, { refusal: string }>,
): VirtualMachine {
  if ('spec' in effect) return { ...vm, spec: { ...vm.spec, ...effect.spec } };
  return { ...vm, status: { ...vm.status, stateChangeRequests: [...effect.stateChangeRequests] } };
}

function notFound(key: string): string {
  return `virtualmachine.kubevirt.io "${nameIn(key)}" not found`;
}
