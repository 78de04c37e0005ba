import { addToGroup } from '../../kubevirt/group-by.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, PersistentVolume, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { byName } from '../../kubevirt/order.ts';
import { controllerOf, isHotplugPod, isLauncherPod, isPodFinished } from '../../kubevirt/predicates.ts';
import { type Amounts, amountsOf, loadOf } from './resources.ts';

/** What the scheduler would see. */
export interface WorldFacts {
  readonly nodes: Iterable<Node>;
  readonly podsOn: (node: string) => readonly Pod[];
  /** Nodes that the action cordons, on top of those that are cordoned already. */
  readonly cordoned?: ReadonlySet<string> | undefined;
  /** Labels of a namespace, for terms that select namespaces; unknown ones count as having none. */
  readonly namespaceLabels?: ((namespace: string) => Labels | undefined) | undefined;
  /** The volumes behind the claims of a pod, where known. */
  readonly volumesOf?: ((pod: Pod) => readonly PersistentVolume[]) | undefined;
}

/** A pod in its place. */
export interface Placed {
  readonly pod: Pod;
  readonly node: Node;
}

/** A required anti-affinity term of a pod that is in place already. */
export interface Guard extends Placed {
  readonly term: PodAffinityTerm;
}

/** Nodes with the unfinished pods on them, and what they add up to: all that the filters ask. */
export interface PlacementView {
  /** By name. */
  readonly nodes: readonly Node[];
  readonly cordoned: ReadonlySet<string>;
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];
  /** Unfinished pods; finished ones hold nothing back (the scheduler's cache leaves them out). */
  podsOn(node: string): readonly Pod[];
  /**
   * Pods that a term may select: no fewer than it does, and where it asks for a label, hardly more. Whether it selects them is for
   * the caller to say.
   */
  placedFor(term: PodAffinityTerm): Iterable<Placed>;
  /** What a node has to give; `undefined` where it does not tell. */
  allocatableOn(node: Node): Amounts | undefined;
  /** What the pods of a node reserve; with `withoutVms`, only those that are not there for a VM. */
  loadOn(node: string, withoutVms?: boolean): Amounts;
  /** Required anti-affinity terms of pods in place that may select the pod; whether they do is for the caller to say. */
  guardsAgainst(pod: Pod): Iterable<Guard>;
}

/** A view whose nodes can be asked for by name. */
export interface NamedView extends PlacementView {
  node(name: string): Node | undefined;
}

/**
 * A view of one moment. It does not follow later changes of the objects; sums
 * are made when first asked for, so a world is cheap to make and is shared by all questions about the same moment.
 */
export class PlacementWorld implements NamedView {
  readonly nodes: readonly Node[];
  readonly cordoned: ReadonlySet<string>;
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];
  readonly #byName: ReadonlyMap<string, Node>;
  readonly #podsOn: (node: string) => readonly Pod[];
  readonly #unfinished = new Map<string, readonly Pod[]>();
  readonly #loads = new Map<string, Amounts>();
  readonly #allocatable = new Map<string, Amounts>();
  #placed: readonly Placed[] | undefined;
  #byLabel: ReadonlyMap<string, readonly Placed[]> | undefined;
  /** By a label that their terms ask for; those that ask for none under `undefined`. */
  #guards: ReadonlyMap<string | undefined, readonly Guard[]> | undefined;

  constructor(facts: WorldFacts) {
    this.nodes = [...facts.nodes].sort(byName);
    this.#byName = new Map(this.nodes.map((node) => [node.metadata.name, node]));
    this.cordoned = facts.cordoned ?? new Set();
    this.namespaceLabels = facts.namespaceLabels ?? (() => undefined);
    this.volumesOf = facts.volumesOf ?? (() => []);
    this.#podsOn = facts.podsOn;
  }

  node(name: string): Node | undefined {
    return this.#byName.get(name);
  }

  podsOn(node: string): readonly Pod[] {
    return remembered(this.#unfinished, node, () => this.#podsOn(node).filter((pod) => !isPodFinished(pod)));
  }

  placedFor(term: PodAffinityTerm): readonly Placed[] {
    const asked = labelsAskedBy(term);
    if (asked === undefined) return this.#allPlaced();
    this.#byLabel ??= byEach(this.#allPlaced(), ({ pod }) => labelsOf(pod));
    const byLabel = this.#byLabel;
    return asked.flatMap((label) => byLabel.get(label) ?? []);
  }

  allocatableOn(node: Node): Amounts | undefined {
    const { allocatable } = node.status ?? {};
    if (!allocatable) return undefined;
    return remembered(this.#allocatable, node.metadata.name, () => amountsOf(allocatable));
  }

  loadOn(node: string, withoutVms = false): Amounts {
    return remembered(this.#loads, `${node} ${withoutVms}`, () => {
      const pods = this.podsOn(node);
      return loadOf(withoutVms ? pods.filter((pod) => !isForVm(pod)) : pods);
    });
  }

  guardsAgainst(pod: Pod): readonly Guard[] {
    this.#guards ??= byEach(
      this.#allPlaced().flatMap(guardsOf),
      ({ term }) => labelsAskedBy(term) ?? [undefined],
    );
    const guards = this.#guards;
    return [undefined, ...labelsOf(pod)].flatMap((label) => guards.get(label) ?? []);
  }

  #allPlaced(): readonly Placed[] {
    this.#placed ??= this.nodes.flatMap((node) =>
      this.podsOn(node.metadata.name).map((pod) => ({ pod, node })),
    );
    return this.#placed;
  }
}

/** Labels (`key=value`) of one key, of which a pod has one if the term selects it; `undefined`: it may have any. */
function labelsAskedBy({ labelSelector }: PodAffinityTerm): readonly string[] | undefined {
  const [exact] = Object.entries(labelSelector?.matchLabels ?? {});
  if (exact) return [exact.join('=')];
  const among = labelSelector?.matchExpressions?.find(({ operator }) => operator === 'In');
  return among && [...new Set(among.values)].map((value) => `${among.key}=${value}`);
}

function labelsOf({ metadata }: Pod): string[] {
  return Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
}

/** The VMI whose pods alone a term can select, if its labels say so. */
export function creatorIn(term: PodAffinityTerm): string | undefined {
  return term.labelSelector?.matchLabels?.[LABEL.createdBy];
}

/** The required anti-affinity terms of a pod in its place. */
export function guardsOf({ pod, node }: Placed): Guard[] {
  const terms = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => ({ pod, node, term }));
}

function byEach<T, K>(all: readonly T[], keysOf: (one: T) => readonly K[]): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) for (const key of keysOf(one)) addToGroup(groups, key, one);
  return groups;
}

function remembered<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}

/** Launchers and attachment pods: they leave with their VM. */
export function isForVm(pod: Pod): boolean {
  return isLauncherPod(pod) || isHotplugPod(pod);
}

/** A launcher, of now or of a migration, of the VMI with this UID. */
export function isPodOfVmi(pod: Pod, uid: string | undefined): boolean {
  if (!uid) return false;
  return controllerOf(pod.metadata)?.uid === uid || pod.metadata.labels?.[LABEL.createdBy] === uid;
}
