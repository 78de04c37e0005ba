/** Takes away what was put into a lab, so that the same API server can have another cluster. */
import type { Kind } from '../../fleet/fleet.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { collectionPath, resourcesOf } from '../../kubernetes/resources.ts';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { waitFor } from '../wait.ts';

/** Owners before what they own, and those that hold others up last. */
const SWEPT: readonly Kind[] = [
  'PodDisruptionBudget',
  'ResourceQuota',
  'MachineHealthCheck',
  'MachineSet',
  'Machine',
  'KubevirtMachine',
  'VirtualMachine',
  'VirtualMachineInstanceReplicaSet',
  'VirtualMachineInstanceMigration',
  'VirtualMachineInstance',
  'Pod',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'MigrationPolicy',
  'KubeVirt',
  'Node',
];

/**
 * Deletes every object of the kinds that a cluster is made of, finalizers and grace periods or not; namespaces stay, and what
 * KubeVirt is registered with. Whoever acts on them must have ended before. Rejects when something is still there after a minute.
 */
export async function sweep(api: ApiClient): Promise<void> {
  const sweepAll = async (): Promise<boolean> => {
    let left = 0;
    for (const kind of SWEPT) left += await sweepKind(api, kind);
    return left === 0;
  };
  await waitFor(sweepAll, { what: 'an empty cluster', seconds: 60 });
}

/** Gives how many there were. */
async function sweepKind(api: ApiClient, kind: Kind): Promise<number> {
  const [resource] = resourcesOf(kind);
  const listed = await api.call({ method: 'GET', path: collectionPath(resource) });
  const objects = listed.ok ? objectsAt(listed.object, 'items') : [];
  await Promise.all(
    objects.map((object) => {
      const { namespace, name } = objectAt(object, 'metadata');
      const path = `${collectionPath(resource, namespace as string | undefined)}/${name}`;
      return sweepObject(api, path, object);
    }),
  );
  return objects.length;
}

async function sweepObject(api: ApiClient, path: string, object: JsonObject): Promise<void> {
  const { finalizers } = objectAt(object, 'metadata');
  if (finalizers !== undefined) {
    const contentType = 'application/merge-patch+json';
    await api.call({ method: 'PATCH', path, contentType, body: { metadata: { finalizers: null } } });
  }
  await api.call({
    method: 'DELETE',
    path,
    body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' },
  });
}
