import { currentPod } from '../decide/current-pod.ts';
import { KNOWN_KINDS, type KnownKind, type ObjectOf } from '../kubevirt/kinds.ts';
import { ANNOTATION, LABEL } from '../kubevirt/names.ts';
import { namespacedKey } from '../kubevirt/object-key.ts';
import type {
  KubeVirt,
  Migration,
  PersistentVolume,
  Pod,
  PodDisruptionBudget,
  ResourceQuota,
  VirtualMachine,
  Vmi,
} from '../kubevirt/objects.ts';
import { byKey } from '../kubevirt/order.ts';
import { controllerOf, isHotplugPod, isMarked, isMigrationFinal, keyOf } from '../kubevirt/predicates.ts';
import { Index } from './index-by.ts';

/** A fleet holds every kind that Drover reads. */
export type Kind = KnownKind;
/** The objects that a fleet holds, by their kind. */
export type KindMap = { readonly [K in Kind]: ObjectOf<K> };

/**
 * Keeps something derived of the objects of a kind, each told with its `namespace/name`. An object that is replaced is deleted,
 * then the new one is added, unless there is `replace`.
 */
export interface Follower<T> {
  add(object: T, key: string): void;
  replace?(held: T, object: T, key: string): void;
  delete(object: T, key: string): void;
}

type Followers = { [K in Kind]?: readonly Follower<KindMap[K]>[] };
type Stores = { [K in Kind]: Map<string, KindMap[K]> };

/**
 * The indexed picture of a cluster, fed one object event at a time at O(1) each: the one place that answers "which"
 * questions. It holds what it is given and decides nothing. What belongs to one VMI comes by name; other lists come in no promised
 * order: sort where order is seen.
 */
export class Fleet {
  readonly #stores = Object.fromEntries(KNOWN_KINDS.map((kind) => [kind, new Map()])) as Stores;
  readonly #known = new Set<Kind>();
  readonly #vmisByNode = new Index<Vmi>((vmi) => vmi.status?.nodeName);
  readonly #markedByNode = new Index<Vmi>((vmi) => (isMarked(vmi) ? vmi.status?.nodeName : undefined));
  /** Kept from when somebody first asks: few do, and it has all pods once more. */
  #podsByNamespace: Index<Pod> | undefined;
  readonly #podsByNode = new Index<Pod>((pod) => pod.spec?.nodeName);
  readonly #podsByOwnerUid = new Index<Pod>((pod) => controllerOf(pod.metadata)?.uid, byKey);
  readonly #hotplugPodsByOwnerUid = new Index<Pod>(
    (pod) => (isHotplugPod(pod) ? pod.metadata.ownerReferences?.[0]?.uid : undefined),
    byKey,
  );
  readonly #migrationsByVmi = new Index<Migration>(vmiKeyOfMigration, byKey);
  readonly #budgetsByNamespace = new Index<PodDisruptionBudget>((budget) => budget.metadata.namespace ?? '');
  readonly #quotasByNamespace = new Index<ResourceQuota>((quota) => quota.metadata.namespace ?? '');

  readonly #followers: Followers = {
    VirtualMachineInstance: [this.#vmisByNode, this.#markedByNode],
    Pod: [this.#podsByNode, this.#podsByOwnerUid, this.#hotplugPodsByOwnerUid],
    VirtualMachineInstanceMigration: [this.#migrationsByVmi],
    PodDisruptionBudget: [this.#budgetsByNamespace],
    ResourceQuota: [this.#quotasByNamespace],
  };

  /**
   * Adds the object, or replaces the one of the same kind, namespace and name, and gives that one; `key` is its own, for who knows it
   * already.
   */
  apply<K extends Kind>(kind: K, object: KindMap[K], key = keyOf(object)): KindMap[K] | undefined {
    const store: Map<string, KindMap[K]> = this.#stores[kind];
    const followers: Followers[K] = this.#followers[kind];
    const held = store.get(key);
    // Set over the old one: deleting first would have the map rebuilt every so many events.
    store.set(key, object);
    this.#known.add(kind);
    for (const follower of followers ?? []) {
      if (held && follower.replace) {
        follower.replace(held, object, key);
        continue;
      }
      if (held) follower.delete(held, key);
      follower.add(object, key);
    }
    return held;
  }

  /** Forgets an object by `namespace/name`, and gives it; an unknown one is no error. */
  remove<K extends Kind>(kind: K, key: string): KindMap[K] | undefined {
    const held = this.#stores[kind].get(key);
    if (!held) return undefined;
    this.#stores[kind].delete(key);
    for (const follower of this.#followers[kind] ?? []) follower.delete(held, key);
    return held;
  }

  /**
   * Tells a follower of every object of a kind: at once of those that are held, then of each change, when the fleet has
   * made it, until the returned function is called.
   */
  follow<K extends Kind>(kind: K, follower: Follower<KindMap[K]>): () => void {
    const followersOf = (): readonly Follower<KindMap[K]>[] => this.#followers[kind] ?? [];
    this.#followers[kind] = [...followersOf(), follower] as Followers[K];
    for (const object of this.all(kind)) follower.add(object, keyOf(object));
    return () => {
      this.#followers[kind] = followersOf().filter((other) => other !== follower) as Followers[K];
    };
  }

  /** Says that the source lists this kind, be it empty. A kind that never came is unknown, not empty. */
  noteKnown(kind: Kind): void {
    this.#known.add(kind);
  }

  isKnown(kind: Kind): boolean {
    return this.#known.has(kind);
  }

  all<K extends Kind>(kind: K): Iterable<KindMap[K]> {
    return this.#stores[kind].values();
  }

  count(kind: Kind): number {
    return this.#stores[kind].size;
  }

  get<K extends Kind>(kind: K, key: string): KindMap[K] | undefined {
    return this.#stores[kind].get(key);
  }

  /** The cluster's KubeVirt CR. Only one may exist; of several, the first by namespace and name. */
  kubevirt(): KubeVirt | undefined {
    const all = this.all('KubeVirt');
    return this.count('KubeVirt') === 1 ? first(all) : [...all].sort(byKey)[0];
  }

  vmisOn(node: string): readonly Vmi[] {
    return this.#vmisByNode.get(node);
  }

  /** Of the VMIs on a node those that carry a mark, be it for another one. */
  markedOn(node: string): readonly Vmi[] {
    return this.#markedByNode.get(node);
  }

  hasMarkedOn(node: string): boolean {
    return this.#markedByNode.has(node);
  }

  podsOn(node: string): readonly Pod[] {
    return this.#podsByNode.get(node);
  }

  podsIn(namespace: string): readonly Pod[] {
    this.#podsByNamespace ??= this.#newPodsByNamespace();
    return this.#podsByNamespace.get(namespace);
  }

  #newPodsByNamespace(): Index<Pod> {
    const pods = new Index<Pod>(({ metadata: { namespace = '' } }) => namespace);
    this.follow('Pod', pods);
    return pods;
  }

  /** The VM that controls a VMI, by name (a VM and its VMI share it); undefined for a standalone VMI. */
  vmOf(vmi: Vmi): VirtualMachine | undefined {
    if (controllerOf(vmi.metadata)?.kind !== 'VirtualMachine') return undefined;
    return this.get('VirtualMachine', keyOf(vmi));
  }

  /** Pods that the VMI controls, by name: launchers of now, of a migration under way, and of finished ones. */
  podsOf(vmi: Vmi): readonly Pod[] {
    const uid = vmi.metadata.uid;
    return uid ? this.#podsByOwnerUid.get(uid) : [];
  }

  /** The launcher pod that the VMI runs in now; of equally old ones the first by name. */
  launcherPodOf(vmi: Vmi): Pod | undefined {
    return currentPod(vmi, this.podsOf(vmi));
  }

  /** Attachment pods (`hp-volume-*`) that a launcher pod owns, by name. */
  hotplugPodsOf(launcher: Pod): readonly Pod[] {
    const uid = launcher.metadata.uid;
    return uid ? this.#hotplugPodsByOwnerUid.get(uid) : [];
  }

  /** The volumes behind the claims of a pod; a claim that is not bound or not known has none. */
  volumesOf(pod: Pod): readonly PersistentVolume[] {
    return (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
      const claim = persistentVolumeClaim?.claimName;
      const key = `${pod.metadata.namespace}/${claim}`;
      const volume =
        claim === undefined ? undefined : this.get('PersistentVolumeClaim', key)?.spec?.volumeName;
      return volume === undefined ? [] : (this.get('PersistentVolume', volume) ?? []);
    });
  }

  /** The VMI that a launcher pod runs, by its `kubevirt.io/domain` annotation, else by its controller. */
  vmiOfLauncher(pod: Pod): Vmi | undefined {
    const name = pod.metadata.annotations?.[ANNOTATION.domain] ?? controllerOf(pod.metadata)?.name;
    return name === undefined
      ? undefined
      : this.get('VirtualMachineInstance', namespacedKey(pod.metadata.namespace ?? '', name));
  }

  /** Migrations of a VMI, finished ones too, by name. */
  migrationsOf(vmi: Vmi): readonly Migration[] {
    return this.#migrationsByVmi.get(keyOf(vmi));
  }

  unfinishedMigrationsOf(vmi: Vmi): readonly Migration[] {
    return this.migrationsOf(vmi).filter((migration) => !isMigrationFinal(migration));
  }

  budgetsIn(namespace: string): readonly PodDisruptionBudget[] {
    return this.#budgetsByNamespace.get(namespace);
  }

  quotasIn(namespace: string): readonly ResourceQuota[] {
    return this.#quotasByNamespace.get(namespace);
  }
}

function first<T>(all: Iterable<T>): T | undefined {
  for (const one of all) return one;
  return undefined;
}

function vmiKeyOfMigration(migration: Migration): string {
  const name = migration.spec?.vmiName ?? migration.metadata.labels?.[LABEL.vmiName] ?? '';
  return `${migration.metadata.namespace}/${name}`;
}
