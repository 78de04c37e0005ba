/** Puts the objects of a snapshot into an API server, as they were, as far as another cluster can have them. */
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { apiVersionOf, collectionPath, objectPath, resourcesOf } from '../../kubernetes/resources.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { ObjectMeta, Pod } from '../../kubevirt/objects.ts';
import { byKey, oldestFirst } from '../../kubevirt/order.ts';
import { controllerOf, keyOf } from '../../kubevirt/predicates.ts';
import { PLAYED_LABEL } from '../played/live-agents.ts';
import { addressed } from './addresses.ts';
import { ANY_VOLUME, admissible, BOUND, statusOf, volumeOf } from './admissible.ts';
import { NewUids } from './new-uids.ts';

/** Owners before what they own. Deployments and DaemonSets stay behind: a snapshot does not hold enough of them. */
const ORDER: readonly Kind[] = [
  'Node',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'MigrationPolicy',
  'KubeVirt',
  'VirtualMachineInstanceReplicaSet',
  'VirtualMachine',
  'VirtualMachineInstance',
  'Pod',
  'VirtualMachineInstanceMigration',
  'MachineSet',
  'Machine',
  'KubevirtMachine',
  'MachineHealthCheck',
  'PodDisruptionBudget',
  'ResourceQuota',
];
/** Whose status is written by itself. Of budgets and quotas the real controllers write it. */
const WITH_STATUS: ReadonlySet<Kind> = new Set<Kind>([
  'KubeVirt',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'VirtualMachine',
  'VirtualMachineInstanceMigration',
  'MachineSet',
  'Machine',
  'KubevirtMachine',
  'MachineHealthCheck',
]);

export interface Restored {
  readonly objects: number;
  /** What could not be had, a line each. */
  readonly refused: readonly string[];
}

/**
 * Promise: UIDs are new, and every mention of an old one is the new one; finalizers that only others take away are left
 * behind, as are pods of DaemonSets. Pods whose owner stays behind belong to their namespace, which nobody makes anew.
 */
export async function restore(api: ApiClient, fleet: Fleet): Promise<Restored> {
  const restoration = new Restoration(api, fleet);
  return restoration.run();
}

class Restoration {
  readonly #api: ApiClient;
  readonly #fleet: Fleet;
  readonly #uids = new NewUids();
  /** Of namespaces, by name. */
  readonly #namespaceUids = new Map<string, string>();
  /** Of launchers, by the new UID of their VMI and their node. */
  readonly #addresses = new Map<string, string>();
  readonly #refused: string[] = [];
  #objects = 0;

  constructor(api: ApiClient, fleet: Fleet) {
    this.#api = api;
    this.#fleet = fleet;
  }

  async run(): Promise<Restored> {
    await this.#namespaces();
    await this.#volumes();
    for (const kind of ORDER) {
      const objects = [...this.#fleet.all(kind)].filter((object) => isWanted(kind, object)).sort(oldestFirst);
      for (const object of objects) await this.#put(kind, object);
    }
    // VMIs name their pods, which came after them, and are reached by their addresses.
    for (const vmi of [...this.#fleet.all('VirtualMachineInstance')].sort(byKey)) await this.#renew(vmi);
    return { objects: this.#objects, refused: this.#refused };
  }

  async #namespaces(): Promise<void> {
    const named = new Map(
      [...this.#fleet.all('Namespace')].map((each) => [each.metadata.name, each.metadata]),
    );
    for (const kind of ORDER)
      for (const { metadata } of this.#fleet.all(kind)) {
        const { namespace: name } = metadata;
        if (name !== undefined && !named.has(name)) named.set(name, { name });
      }
    const path = collectionPath(resourcesOf('Namespace')[0]);
    for (const { name, labels, annotations } of named.values()) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } };
      const made = await this.#api.call({ method: 'POST', path, body });
      if (!made.ok && made.code !== 409) this.#refuse('Namespace', name, made.message);
      const held = await this.#api.call({ method: 'GET', path: `${path}/${name}` });
      if (held.ok) this.#namespaceUids.set(name, uidOf(held.object));
    }
  }

  /** For the claims of volumes that the snapshot leaves out. */
  async #volumes(): Promise<void> {
    const path = collectionPath(resourcesOf('PersistentVolume')[0]);
    for (const claim of [...this.#fleet.all('PersistentVolumeClaim')].sort(byKey)) {
      const name = volumeOf(claim);
      if (this.#fleet.get('PersistentVolume', name)) continue;
      const body = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec: ANY_VOLUME };
      const made = await this.#api.call({ method: 'POST', path, body });
      if (!made.ok && made.code !== 409) this.#refuse('PersistentVolume', name, made.message);
    }
  }

  async #put<K extends Kind>(kind: K, object: KindMap[K]): Promise<void> {
    const [resource] = resourcesOf(kind);
    const { metadata } = object;
    const renewed = this.#uids.renewed(object as unknown as JsonObject);
    const made = await this.#api.call({
      method: 'POST',
      path: collectionPath(resource, metadata.namespace),
      body: {
        ...admissible(kind, renewed),
        ...{ apiVersion: apiVersionOf(resource), kind, metadata: this.#metadataOf(kind, metadata) },
      },
    });
    if (!made.ok) return this.#refuse(kind, keyOf(object), made.message);
    this.#objects++;
    if (metadata.uid !== undefined) this.#uids.note(metadata.uid, uidOf(made.object));
    if (!WITH_STATUS.has(kind) || !renewed.status) return;
    const body = { ...made.object, status: statusOf(kind, made.object, objectAt(renewed, 'status')) };
    if (kind === 'Pod') this.#noteAddress(body as unknown as Pod);
    const path = objectPath(resource, keyOf(object), 'status');
    const written = await this.#api.call({ method: 'PUT', path, body });
    if (!written.ok) this.#refuse(kind, `${keyOf(object)} status`, written.message);
  }

  #noteAddress({ metadata, spec, status }: Pod): void {
    const vmi = metadata.labels?.[LABEL.createdBy];
    if (vmi && status?.podIP) this.#addresses.set(`${vmi} ${spec?.nodeName}`, status.podIP);
  }

  async #renew(vmi: KindMap['VirtualMachineInstance']): Promise<void> {
    const path = objectPath(resourcesOf('VirtualMachineInstance')[0], keyOf(vmi));
    const held = await this.#api.call({ method: 'GET', path });
    if (!held.ok) return;
    const renewed = this.#uids.renewed(held.object) as unknown as KindMap['VirtualMachineInstance'];
    const address = this.#addresses.get(`${renewed.metadata.uid} ${renewed.status?.nodeName}`);
    const body = addressed(renewed, address) as unknown as JsonObject;
    if (JSON.stringify(body) !== JSON.stringify(held.object))
      await this.#api.call({ method: 'PUT', path, body });
  }

  #metadataOf(kind: Kind, metadata: ObjectMeta): JsonObject {
    const { name, namespace, labels, annotations, finalizers, ownerReferences = [] } = metadata;
    const known = ownerReferences.filter(({ uid }) => this.#uids.has(uid ?? ''));
    const owners = known.length > 0 || kind !== 'Pod' ? known : this.#namespaceAsOwner(metadata);
    const isKubeVirts = kind.startsWith('VirtualMachine');
    return {
      ...{ name, namespace, labels: this.#uids.renewed(withoutAgents(labels)) },
      annotations: kind === 'PersistentVolumeClaim' ? { ...annotations, ...BOUND } : annotations,
      ...(isKubeVirts && finalizers && { finalizers }),
      ownerReferences: owners.map((owner) => this.#uids.renewed(ownerOf(owner))),
    };
  }

  #namespaceAsOwner({ namespace, ownerReferences }: ObjectMeta): NonNullable<ObjectMeta['ownerReferences']> {
    const uid = this.#namespaceUids.get(namespace ?? '');
    if (!ownerReferences?.some(({ controller }) => controller) || !namespace || !uid) return [];
    return [{ apiVersion: 'v1', kind: 'Namespace', name: namespace, uid, controller: true }];
  }

  #refuse(kind: Kind, key: string, problem: string): void {
    this.#refused.push(`${kind} ${key}: ${problem}`);
  }
}

/** The agents of a snapshot's nodes stay behind. */
function withoutAgents({ [PLAYED_LABEL]: _, ...labels }: Readonly<Record<string, string>> = {}): JsonObject {
  return labels;
}

function uidOf(object: JsonObject): string {
  return String(objectAt(object, 'metadata').uid);
}

function ownerOf(owner: NonNullable<ObjectMeta['ownerReferences']>[number]): JsonObject {
  const version = { VirtualMachine: 'kubevirt.io/v1', VirtualMachineInstance: 'kubevirt.io/v1', Pod: 'v1' };
  return { apiVersion: version[owner.kind as keyof typeof version] ?? 'v1', ...owner };
}

function isWanted(kind: Kind, object: KindMap[Kind]): boolean {
  return kind !== 'Pod' || !/^(DaemonSet|Node)$/.test(controllerOf(object.metadata)?.kind ?? '');
}
