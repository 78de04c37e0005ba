import type { JsonPatchOperation } from '../../kubevirt/json-patch.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';

/** A JSON patch of the KubeVirt CR's status subresource. */
export interface StatusPatch {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly subresource: 'status';
  readonly patchType: 'application/json-patch+json';
  readonly patch: readonly JsonPatchOperation[];
}

const PATH = '/status/outdatedVirtualMachineInstanceWorkloads';

/**
 * Writes the number of outdated VMIs where the CR does not hold it yet: workload-update §7 step 2 of the spec.
 *
 * Promise: `undefined` where it does; a held value is tested first, so that a patch made on an old picture fails.
 */
export function statusPatch(kubevirt: KubeVirt, outdatedCount: number): StatusPatch | undefined {
  const held = kubevirt.status?.outdatedVirtualMachineInstanceWorkloads;
  if (held === outdatedCount) return undefined;
  const { name, namespace } = kubevirt.metadata;
  const patch = operations(held, outdatedCount);
  return { namespace, name, subresource: 'status', patchType: 'application/json-patch+json', patch };
}

function operations(held: number | undefined, value: number): JsonPatchOperation[] {
  if (held === undefined) return [{ op: 'add', path: PATH, value }];
  return [
    { op: 'test', path: PATH, value: held },
    { op: 'replace', path: PATH, value },
  ];
}
