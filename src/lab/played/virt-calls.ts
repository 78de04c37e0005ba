/** What virt-api answers to the calls of `virtctl`, on a lab. */

import type { Cluster } from '../../controllers/ports.ts';
import type { ApiFailure, ApiResult } from '../../decide/api-result.ts';
import { evacuationCancelTable, nodeToLookAt } from '../../decide/evacuation/cancel.ts';
import { decide, resultOf } from '../../decide/rules.ts';
import { SUBRESOURCE_TABLES, type SubresourceCall } from '../../decide/run-strategy/subresources.ts';
import { resolveSettings } from '../../decide/settings.ts';
import { isJsonObject, type JsonObject } from '../../kubevirt/json.ts';
import { nameIn, namespaceIn } from '../../kubevirt/object-key.ts';
import { messageOf } from '../../kubevirt/thrown.ts';
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
  const reading = readingOf(body);
  if (call === EVACUATE_CANCEL) return told(await cancelEvacuation(cluster, key, reading), 200);
  const { options = {}, error } = reading ?? {};
  if (error !== undefined) return failed(400, error, 'BadRequest');
  if (call === 'migrate') return told(await migrate(cluster, key, options), 202);
  if (isDryRun(options)) return told(tryCall(cluster, key, call), 202);
  return told(await callVm(cluster, key, call), 202);
}

interface Reading {
  readonly options?: JsonObject;
  /** Why the body is none. */
  readonly error?: string;
}

/** The options of a call; undefined where it has no body. */
function readingOf(body: string): Reading | undefined {
  if (body === '') return undefined;
  try {
    const options: unknown = JSON.parse(body);
    return isJsonObject(options) ? { options } : { error: 'the body of the call is no JSON object' };
  } catch (error) {
    return { error: `the body of the call cannot be read: ${messageOf(error)}` };
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

/** A migration that is there goes on. */
async function cancelEvacuation(
  cluster: Cluster,
  key: string,
  reading: Reading | undefined,
): Promise<ApiResult> {
  const { fleet } = cluster;
  const vmi = fleet.get('VirtualMachineInstance', key);
  const name = nameIn(key);
  if (!vmi) return notFound('virtualmachineinstance', name);
  const node = fleet.get('Node', nodeToLookAt(vmi));
  const settings = resolveSettings(fleet.kubevirt());
  const verdict = resultOf(evacuationCancelTable, { vmi, node, reading, settings });
  if ('refusal' in verdict) return refused(verdict.code, REASONS[verdict.code], verdict.refusal);
  if (verdict.patch.length === 0) return { ok: true, name };
  const dryRun = isDryRun(reading?.options ?? {});
  const result = await cluster.patch('VirtualMachineInstance', key, verdict.patch, { dryRun });
  return result.ok ? result : { ...result, code: 500, reason: REASONS[500] };
}

const REASONS = { 400: 'BadRequest', 500: 'InternalError' } as const;

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
