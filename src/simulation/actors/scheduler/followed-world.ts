import { leastAllocatedScore } from '../../../decide/binding/score.ts';
import { antiAffinityTerms, creatorIn, selects } from '../../../decide/placement/affinity-terms.ts';
import { isForVm, type Placed, PodsByNode } from '../../../decide/placement/placed.ts';
import { type Amounts, amountsOf, loadOf, podRequests } from '../../../decide/placement/resources.ts';
import type { Guard, PlacementView } from '../../../decide/placement/world.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { addToGroup } from '../../../kubevirt/group-by.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import type { Node, Pod, PodAffinityTerm } from '../../../kubevirt/objects.ts';
import { byName } from '../../../kubevirt/order.ts';
import { isPodFinished, keyOf } from '../../../kubevirt/predicates.ts';
import { Groups } from '../groups.ts';
import { NodeRanking } from './node-ranking.ts';

/** A pod in its place, with what it holds there. */
interface Seated {
  pod: Pod;
  readonly node: string;
  readonly requests: Amounts;
  readonly creator: string;
  /** The VMIs that its required anti-affinity is about; `undefined` for terms about others too. */
  readonly avoids: readonly (string | undefined)[];
}

const NONE: Amounts = new Map();

/**
 * The scheduler's picture of the nodes and of what the pods on them hold, kept from one change to the next: a pod that comes,
 * goes or ends costs O(1), whatever the size of the cluster.
 */
export class FollowedWorld implements PlacementView {
  readonly cordoned: ReadonlySet<string> = new Set();
  readonly ranking = new NodeRanking();
  readonly namespaceLabels: PlacementView['namespaceLabels'];
  readonly volumesOf: PlacementView['volumesOf'];
  readonly #nodes = new Map<string, Node>();
  readonly #has = new Map<string, Amounts>();
  readonly #loads = new Map<string, Map<string, number>>();
  readonly #seated = new Map<string, Seated>();
  readonly #byNode = new Groups<string, Seated>();
  readonly #byCreator = new Groups<string, Seated>();
  /** By the VMI whose pods alone a term is about; the others under `undefined`. */
  readonly #guards = new Groups<string | undefined, Seated>();
  readonly #byHostname = new Groups<string, string>();
  #sorted: readonly Node[] | undefined;

  constructor(fleet: Fleet) {
    this.namespaceLabels = (namespace) => fleet.get('Namespace', namespace)?.metadata.labels;
    this.volumesOf = (pod) => fleet.volumesOf(pod);
  }

  /** Begins with what there is. */
  fill(fleet: Fleet): void {
    for (const node of fleet.all('Node')) this.setNode(node);
    for (const pod of fleet.all('Pod')) this.setPod(pod);
  }

  get nodes(): readonly Node[] {
    this.#sorted ??= [...this.#nodes.values()].sort(byName);
    return this.#sorted;
  }

  node(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  /** Names of the nodes that carry the hostname as their label. */
  nodesWithHostname(hostname: string): string[] {
    return [...this.#byHostname.get(hostname)].sort();
  }

  setNode(node: Node): void {
    const { name } = node.metadata;
    this.deleteNode(name);
    this.#nodes.set(name, node);
    const { allocatable } = node.status ?? {};
    if (allocatable) this.#has.set(name, amountsOf(allocatable));
    this.#byHostname.add(node.metadata.labels?.[LABEL.hostname] ?? '', name);
    this.#rank(name);
  }

  deleteNode(name: string): void {
    this.#byHostname.delete(this.#nodes.get(name)?.metadata.labels?.[LABEL.hostname] ?? '', name);
    this.#nodes.delete(name);
    this.#has.delete(name);
    this.ranking.delete(name);
    this.#sorted = undefined;
  }

  /** A pod as it is now. One that has no node is not looked at: it may have been given one that is not told of yet. */
  setPod(pod: Pod): void {
    const node = pod.spec?.nodeName;
    if (isPodFinished(pod)) this.deletePod(keyOf(pod));
    else if (node) this.seat(pod, node);
  }

  /** Counts the pod as on the node, whatever it says itself. `requests` are the pod's, where they are known already. */
  seat(pod: Pod, node: string, requests?: Amounts): void {
    const key = keyOf(pod);
    const held = this.#seated.get(key);
    if (held && held.node === node && held.pod.metadata.uid === pod.metadata.uid) {
      held.pod = pod;
      return;
    }
    this.deletePod(key);
    const seated: Seated = {
      pod,
      node,
      requests: requests ?? podRequests(pod),
      creator: creatorOf(pod),
      avoids: antiAffinityTerms(pod).map(creatorIn),
    };
    this.#seated.set(key, seated);
    this.#byNode.add(node, seated);
    this.#byCreator.add(seated.creator, seated);
    for (const creator of seated.avoids) this.#guards.add(creator, seated);
    this.#charge(seated, 1);
  }

  deletePod(key: string): void {
    const seated = this.#seated.get(key);
    if (!seated) return;
    this.#seated.delete(key);
    this.#byNode.delete(seated.node, seated);
    this.#byCreator.delete(seated.creator, seated);
    for (const creator of seated.avoids) this.#guards.delete(creator, seated);
    this.#charge(seated, -1);
  }

  podsOn(node: string): readonly Pod[] {
    return [...this.#byNode.get(node)].map(({ pod }) => pod);
  }

  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): PodsByNode[] {
    const creator = terms.map(creatorIn).find((asked) => asked !== undefined);
    const perhaps = creator === undefined ? this.#seated.values() : this.#byCreator.get(creator);
    const isSelected = ({ pod }: Placed) => terms.every((term) => selects(term, owner, pod, this));
    return [new PodsByNode([...this.#placesOf(perhaps)].filter(isSelected))];
  }

  allocatableOn(node: Node): Amounts | undefined {
    return this.#has.get(node.metadata.name);
  }

  loadOn(node: string, withoutVms = false): Amounts {
    if (withoutVms) return loadOf(this.podsOn(node).filter((pod) => !isForVm(pod)));
    return this.#loads.get(node) ?? NONE;
  }

  guardsAgainst(pod: Pod): Guard[] {
    const creator = creatorOf(pod);
    const seated = [...this.#guards.get(undefined), ...(creator === '' ? [] : this.#guards.get(creator))];
    const guarding = new Map<string, Placed[]>();
    for (const owner of this.#placesOf(new Set(seated))) {
      for (const term of antiAffinityTerms(owner.pod)) {
        if (selects(term, owner.pod, pod, this)) addToGroup(guarding, term.topologyKey, owner);
      }
    }
    return [...guarding].map(([topologyKey, placed]) => ({ topologyKey, pods: new PodsByNode(placed) }));
  }

  #charge({ node, requests }: Seated, sign: 1 | -1): void {
    const load = this.#loads.get(node) ?? new Map<string, number>();
    this.#loads.set(node, load);
    for (const [resource, amount] of requests) load.set(resource, (load.get(resource) ?? 0) + sign * amount);
    load.set('pods', (load.get('pods') ?? 0) + sign);
    if (this.#nodes.has(node)) this.#rank(node);
  }

  #rank(node: string): void {
    this.ranking.set(node, leastAllocatedScore(this.#has.get(node), this.loadOn(node)));
  }

  *#placesOf(all: Iterable<Seated>): Iterable<Placed> {
    for (const { pod, node: name } of all) {
      const node = this.#nodes.get(name);
      if (node) yield { pod, node };
    }
  }
}

function creatorOf(pod: Pod): string {
  return pod.metadata.labels?.[LABEL.createdBy] ?? '';
}
