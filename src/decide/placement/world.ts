import { addToGroup } from '../../kubevirt/group-by.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, PersistentVolume, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { byName } from '../../kubevirt/order.ts';
import { isPodFinished } from '../../kubevirt/predicates.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { isForVm, ownersOf, type PodsByNode } from './placed.ts';
import { type Amounts, amountsOf, loadOf } from './resources.ts';

/** What the scheduler would see. */
export interface WorldFacts {
  readonly nodes: Iterable<Node>;
  readonly podsOn: (node: string) => readonly Pod[];
  /** Labels of a namespace, for terms that select namespaces; unknown ones count as having none. */
  readonly namespaceLabels?: ((namespace: string) => Labels | undefined) | undefined;
  /** The volumes behind the claims of a pod, where known. */
  readonly volumesOf?: ((pod: Pod) => readonly PersistentVolume[]) | undefined;
}

/** Pods in place whose required anti-affinity keeps another off their domains of a topology. */
export interface Guard {
  readonly topologyKey: string;
  readonly pods: PodsByNode;
}

/** Nodes with the unfinished pods on them, and what they add up to: all that the filters ask. */
export interface PlacementView {
  /** By name. */
  readonly nodes: readonly Node[];
  /** Nodes that are about to be cordoned, on top of those that are. */
  readonly cordoned: ReadonlySet<string>;
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];
  /** Unfinished pods; finished ones hold nothing back (the scheduler's cache leaves them out). */
  podsOn(node: string): readonly Pod[];
  /** Pods in place that all of these terms select, which the owner has. */
  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): Iterable<PodsByNode>;
  /** What a node has to give; `undefined` where it does not tell. */
  allocatableOn(node: Node): Amounts | undefined;
  /** What the pods of a node reserve; with `withoutVms`, only those that are not there for a VM. */
  loadOn(node: string, withoutVms?: boolean): Amounts;
  /** Pods in place of which a required anti-affinity term selects the pod. */
  guardsAgainst(pod: Pod): Iterable<Guard>;
}

/** A view whose nodes can be asked for by name, and whose pods by whom they belong to. */
export interface NamedView extends PlacementView {
  node(name: string): Node | undefined;
  /** Unfinished pods that the object with this UID owns, or that were created for it. */
  podsOf(owner: string): readonly Pod[];
}

/**
 * A view of one moment. It does not follow later changes of the objects; sums
 * are made when first asked for, so a world is cheap to make and is shared by all questions about the same moment.
 */
export class PlacementWorld implements NamedView {
  readonly nodes: readonly Node[];
  readonly cordoned: ReadonlySet<string> = new Set();
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];
  readonly #byName: ReadonlyMap<string, Node>;
  readonly #podsOn: (node: string) => readonly Pod[];
  readonly #unfinished = new Map<string, readonly Pod[]>();
  readonly #loads = new Map<string, Amounts>();
  readonly #allocatable = new Map<string, Amounts>();
  #byOwner: ReadonlyMap<string, readonly Pod[]> | undefined;
  #neighbourhood: Neighbourhood | undefined;

  constructor(facts: WorldFacts) {
    this.nodes = [...facts.nodes].sort(byName);
    this.#byName = new Map(this.nodes.map((node) => [node.metadata.name, node]));
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

  podsOf(owner: string): readonly Pod[] {
    this.#byOwner ??= byOwner(this.nodes.flatMap(({ metadata }) => this.podsOn(metadata.name)));
    return this.#byOwner.get(owner) ?? [];
  }

  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): readonly PodsByNode[] {
    return [this.#neighbours().selectedBy(terms, owner)];
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
    return this.#neighbours().guardsAgainst(pod);
  }

  #neighbours(): Neighbourhood {
    this.#neighbourhood ??= new Neighbourhood(
      this.nodes.flatMap((node) => this.podsOn(node.metadata.name).map((pod) => ({ pod, node }))),
      this,
    );
    return this.#neighbourhood;
  }
}

function byOwner(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) for (const owner of ownersOf(pod)) addToGroup(groups, owner, pod);
  return groups;
}

function remembered<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
