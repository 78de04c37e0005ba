import type { Random } from '../../../controllers/ports.ts';
import {
  leastAllocatedScore,
  preferenceScore,
  preferencesOf,
  rankNodes,
} from '../../../decide/binding/score.ts';
import { refusalOf, type SeatRefusal, tellUnschedulable } from '../../../decide/binding/unschedulable.ts';
import { antiAffinityTerms } from '../../../decide/placement/affinity-terms.ts';
import { pendingCandidate } from '../../../decide/placement/candidate.ts';
import { NODE_FILTERS } from '../../../decide/placement/node-filters.ts';
import { type Amounts, plus } from '../../../decide/placement/resources.ts';
import { type Seat, type Surroundings, surroundingsOf } from '../../../decide/placement/seat.ts';
import { firstRule } from '../../../decide/rules.ts';
import { addToGroup } from '../../../kubevirt/group-by.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import type { FollowedWorld } from './followed-world.ts';
import { type WaitsFor, waitsFor } from './waiting-room.ts';

/**
 * Which of the nodes a pod goes to; `undefined` leaves it to the scheduler. `nodes` are all that it fits on, the best first: for
 * a replay, which takes the node from the recording.
 */
export type NodeChoice = (pod: Pod, nodes: readonly string[]) => string | undefined;

/** A node, with what the pod takes of it; or why there is none, and what the pod waits for then. */
export type FoundSeat =
  | { readonly node: string; readonly requests: Amounts }
  | { readonly node?: undefined; readonly message: string; readonly waits: WaitsFor };

/** Finds nodes for pods, as kube-scheduler does: what fits by the filters, and of that the best by score. */
export class SeatFinder {
  readonly #world: FollowedWorld;
  readonly #random: Random;
  readonly #choose: NodeChoice | undefined;

  constructor(world: FollowedWorld, random: Random, choose?: NodeChoice) {
    this.#world = world;
    this.#random = random;
    this.#choose = choose;
  }

  find(pod: Pod): FoundSeat {
    const around = surroundingsOf(pendingCandidate(pod), this.#world, false);
    const node = this.#seatIn(around);
    return node === undefined ? this.#refuse(around) : { node, requests: around.requests };
  }

  /** Preferences outweigh emptiness: where one of the preferred nodes takes the pod, no other can be better. */
  #seatIn(around: Surroundings): string | undefined {
    const { pod } = around.candidate;
    const hostname = pod.spec?.nodeSelector?.[LABEL.hostname];
    if (hostname !== undefined) return this.#bestOf(around, this.#named([hostname]));
    if (this.#choose) return this.#bestOf(around, this.#world.nodes);
    const preferred = preferencesOf(pod).length > 0 ? this.#bestOf(around, this.#preferred(pod)) : undefined;
    return preferred ?? this.#firstBest(around);
  }

  #preferred(pod: Pod): readonly Node[] {
    const hostnames = preferredHostnames(pod);
    const nodes = hostnames ? this.#named(hostnames) : this.#world.nodes;
    return nodes.filter((node) => preferenceScore(pod, node) > 0);
  }

  #named(hostnames: readonly string[]): readonly Node[] {
    return [...new Set(hostnames)].flatMap((hostname) =>
      this.#world.nodesWithHostname(hostname).flatMap((name) => this.#world.node(name) ?? []),
    );
  }

  /** Only emptiness tells the nodes apart, and they are kept in that order. */
  #firstBest(around: Surroundings): string | undefined {
    const fits = (name: string) => {
      const node = this.#world.node(name);
      return node !== undefined && filterOf(extended(around, { node })) === undefined;
    };
    return this.#world.ranking.find(fits, this.#random);
  }

  #bestOf(around: Surroundings, nodes: readonly Node[]): string | undefined {
    const { pod } = around.candidate;
    const fitting = nodes.filter((node) => filterOf(extended(around, { node })) === undefined);
    const ranked = rankNodes(fitting.map((node) => this.#score(around, node)));
    const chosen = this.#choose?.(
      pod,
      ranked.map(({ node }) => node),
    );
    if (chosen !== undefined) return chosen;
    const best = ranked.filter(({ total }) => total === ranked[0]?.total);
    const drawn = best.length > 1 ? Math.floor(this.#random.next() * best.length) : 0;
    return best[drawn]?.node;
  }

  #score({ candidate: { pod }, requests }: Surroundings, node: Node) {
    const { name } = node.metadata;
    const load = plus(this.#world.loadOn(name), requests);
    const leastAllocated = leastAllocatedScore(this.#world.allocatableOn(node), load);
    return { node: name, leastAllocated, preference: preferenceScore(pod, node) };
  }

  #refuse(around: Surroundings): FoundSeat {
    const refusedBy = new Map<string, string[]>();
    const refusals = this.#world.nodes.map((node): SeatRefusal => {
      const seat = extended(around, { node });
      const filter = filterOf(seat) ?? '';
      addToGroup(refusedBy, filter, node.metadata.name);
      return refusalOf(filter, seat);
    });
    const avoided = antiAffinityTerms(around.candidate.pod);
    const avoidsByNode = avoided.every(({ topologyKey }) => topologyKey === LABEL.hostname);
    return { message: tellUnschedulable(refusals), waits: waitsFor(refusedBy, avoidsByNode) };
  }
}

/** The hostnames that a pod prefers, where it prefers by nothing else. */
function preferredHostnames(pod: Pod): string[] | undefined {
  const named = preferencesOf(pod).map(({ preference }) => {
    const [only, ...others] = [...(preference.matchExpressions ?? []), ...(preference.matchFields ?? [])];
    const isNamed = only?.key === LABEL.hostname && only.operator === 'In' && others.length === 0;
    return isNamed ? (only.values ?? []) : undefined;
  });
  return named.includes(undefined) ? undefined : named.flatMap((values) => values ?? []);
}

/** The filter that keeps the pod off; undefined where it fits. A node that tells nothing of what it has takes nobody. */
function filterOf(seat: Seat): string | undefined {
  const { name } = firstRule(NODE_FILTERS, seat);
  if (name !== 'Fits') return name;
  return seat.node.status?.allocatable ? undefined : 'InsufficientResources';
}
