/** What virt-api answers to the calls of `virtctl`, on a lab. */

import type { Cluster } from '../../controllers/ports.ts';
import type { ApiFailure, ApiResult } from '../../decide/api-result.ts';
import { decide } from '../../decide/rules.ts';
import { SUBRESOURCE_TABLES, type SubresourceCall } from '../../decide/run-strategy/subresources.ts';
import { resolveSettings } from '../../decide/settings.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import { nameIn, namespaceIn } from '../../kubevirt/object-key.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { callVm } from '../../simulation/actors/tenants/tenants.ts';

export const EVACUATE_CANCEL = 'evacuate/cancel';
/** What is served of VMs; of VMIs it is `EVACUATE_CANCEL` alone. */
export const VM_CALLS = ['start', 'stop', 'restart', 'migrate', EVACUATE_CANCEL] as const;
export type VirtCall = (typeof VM_CALLS)[number];

export interface HttpAnswer {
  readonly code: number;
  readonly body: JsonObject;
}

/**
 * Answers a call on a VM, or for `evacuate/cancel` on a VMI, and does what it asks for, unless it is a dry run: the refusals come
 * then too.
 */
export async function answerCall(
  cluster: Cluster,
  key: string,
  call: VirtCall,
  body: string,
): Promise<HttpAnswer> {
  const options = optionsIn(body);
  if (call === EVACUATE_CANCEL) return told(await cancelEvacuation(cluster, key, options, body), 200);
  if (call === 'migrate') return told(await migrate(cluster, key, options), 202);
  if (isDryRun(options)) return told(tryCall(cluster, key, call), 202);
  return told(await callVm(cluster, key, call), 202);
}

function optionsIn(body: string): JsonObject {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return {};
  }
}

function isDryRun({ dryRun }: JsonObject): boolean {
  return Array.isArray(dryRun) && dryRun.includes('All');
}

function tryCall({ fleet }: Cluster, key: string, call: SubresourceCall['call']): ApiResult {
  const name = nameIn(key);
  const vm = fleet.get('VirtualMachine', key);
  if (!vm) return notFound('virtualmachine', name);
  const { result } = decide(SUBRESOURCE_TABLES[call], {
    call,
    vm,
    vmi: fleet.get('VirtualMachineInstance', key),
  });
  return 'refusal' in result ? refused(409, 'Conflict', result.refusal) : { ok: true, name };
}

/** kubevirt v1.9.0 pkg/virt-api/rest/subresource.go MigrateVMRequestHandler: a migration with a name of the API server's making. */
async function migrate(cluster: Cluster, key: string, options: JsonObject): Promise<ApiResult> {
  const { fleet } = cluster;
  const name = nameIn(key);
  const namespace = namespaceIn(key);
  if (!fleet.get('VirtualMachine', key)) return notFound('virtualmachine', name);
  const vmi = fleet.get('VirtualMachineInstance', key);
  if (vmi?.status?.phase !== 'Running') return refused(409, 'Conflict', 'VM is not running');
  if (isDryRun(options)) return { ok: true, name };
  const { addedNodeSelector } = options;
  const spec = { vmiName: name, ...(addedNodeSelector ? { addedNodeSelector } : {}) };
  const metadata = { generateName: 'kubevirt-migrate-vm-', namespace };
  return cluster.create('VirtualMachineInstanceMigration', namespace, { metadata, spec });
}

/**
 * kubevirt v1.9.0 pkg/virt-api/rest/evacuate_cancel.go: the mark goes if it names the node that the caller names, and the node is not
 * being drained by taint. A migration that is there goes on.
 */
async function cancelEvacuation(
  cluster: Cluster,
  key: string,
  options: JsonObject,
  body: string,
): Promise<ApiResult> {
  const vmi = cluster.fleet.get('VirtualMachineInstance', key);
  const name = nameIn(key);
  if (!vmi) return notFound('virtualmachineinstance', name);
  const obstacle = drainOf(cluster, vmi);
  if (obstacle) return obstacle;
  if (!vmi.status?.evacuationNodeName) return { ok: true, name };
  if (body === '') return refused(400, 'BadRequest', 'No body');
  const path = '/status/evacuationNodeName';
  const value = options.evacuationNodeName ?? '';
  const operations = [
    { op: 'test', path, value },
    { op: 'remove', path },
  ] as const;
  const result = await cluster.patch('VirtualMachineInstance', key, operations, {
    dryRun: isDryRun(options),
  });
  return result.ok ? result : { ...result, code: 500, reason: 'InternalError' };
}

/** Who is to leave a node that is drained by taint would be marked again at once. */
function drainOf({ fleet }: Cluster, { status }: Vmi): ApiFailure | undefined {
  const { nodeDrainTaintKey: taintKey } = resolveSettings(fleet.kubevirt()).migrations;
  const nodeName = status?.evacuationNodeName || status?.nodeName || '';
  if (!taintKey) return undefined;
  const node = fleet.get('Node', nodeName);
  if (!node) return refused(500, 'InternalError', `nodes ${JSON.stringify(nodeName)} not found`);
  const isDrained = node.spec?.taints?.some(({ key, effect }) => key === taintKey && effect === 'NoSchedule');
  if (!isDrained) return undefined;
  const why = `Node ${JSON.stringify(nodeName)} has NodeDrainTaintKey ${JSON.stringify(`${taintKey}:NoSchedule`)}`;
  return refused(400, 'BadRequest', why);
}

function notFound(kind: string, name: string): ApiFailure {
  return refused(404, 'NotFound', `${kind}.kubevirt.io "${name}" not found`);
}

function refused(code: number, reason: string, message: string): ApiFailure {
  return { ok: false, code, reason, message };
}

function told(result: ApiResult, code: number): HttpAnswer {
  if (result.ok) return { code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } };
  return failed(result.code ?? 500, result.message, result.reason);
}

const OBJECT = /\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)\/(.+)$/;

/** What a lab does not do for want of guests, and what there is. */
export function notServed(path: string): HttpAnswer {
  const [, namespace, plural, name, call] = OBJECT.exec(path) ?? [];
  const what = call === undefined ? path : `${call} of ${plural} ${namespace}/${name}`;
  return failed(
    404,
    `${what} is not served by the lab, in which no guest runs: it has ${VM_CALLS.join(', ')} of virtualmachines, and ${EVACUATE_CANCEL} of virtualmachineinstances`,
    'NotFound',
  );
}

/** kubevirt v1.9.0 staging/src/kubevirt.io/client-go/kubecli/version.go: what `virtctl version` asks for. */
export function versionAnswer({ fleet }: Pick<Cluster, 'fleet'>): HttpAnswer {
  const gitVersion = fleet.kubevirt()?.status?.observedKubeVirtVersion ?? '';
  return { code: 200, body: { gitVersion, gitTreeState: 'clean', platform: 'linux/amd64' } };
}

export function failed(code: number, message: string, reason?: string): HttpAnswer {
  return {
    code,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
  };
}
