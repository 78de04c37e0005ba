import { leastAllocatedScore } from '../../../decide/binding/score.ts';
import { antiAffinityTerms } from '../../../decide/placement/neighbours.ts';
import { type Amounts, amountsOf, loadOf, podRequests } from '../../../decide/placement/resources.ts';
import {
  creatorIn,
  type Guard,
  isForVm,
  type Placed,
  type PlacementView,
} from '../../../decide/placement/world.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
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

  placedFor(term: PodAffinityTerm): Iterable<Placed> {
    const creator = creatorIn(term);
    return this.#placesOf(creator === undefined ? this.#seated.values() : this.#byCreator.get(creator));
  }

  allocatableOn(node: Node): Amounts | undefined {
    return this.#has.get(node.metadata.name);
  }

  loadOn(node: string, withoutVms = false): Amounts {
    if (withoutVms) return loadOf(this.podsOn(node).filter((pod) => !isForVm(pod)));
    return this.#loads.get(node) ?? NONE;
  }

  guardsAgainst(pod: Pod): Iterable<Guard> {
    const general = [...this.#guards.get(undefined)].flatMap((seated) => this.#guardsOf(seated, undefined));
    const creator = creatorOf(pod);
    if (creator === '') return general;
    return [
      ...general,
      ...[...this.#guards.get(creator)].flatMap((seated) => this.#guardsOf(seated, creator)),
    ];
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

  #guardsOf({ pod, node: name }: Seated, creator: string | undefined): Guard[] {
    const node = this.#nodes.get(name);
    if (!node) return [];
    const terms = antiAffinityTerms(pod).filter((term) => creatorIn(term) === creator);
    return terms.map((term) => ({ pod, node, term }));
  }
}

function creatorOf(pod: Pod): string {
  return pod.metadata.labels?.[LABEL.createdBy] ?? '';
}
