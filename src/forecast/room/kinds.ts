import {
  affinityTerms,
  antiAffinityTerms,
  creatorIn,
  keyOfTerms,
} from '../../decide/placement/affinity-terms.ts';
import type { Candidate } from '../../decide/placement/candidate.ts';
import { guardedAgainst, pairsOf } from '../../decide/placement/neighbours.ts';
import { NODE_PROPERTY_FILTERS, VOLUME_FILTER } from '../../decide/placement/node-property-filters.ts';
import { NEIGHBOUR_FILTERS, RESOURCE_FILTERS } from '../../decide/placement/occupancy-filters.ts';
import { NOBODY } from '../../decide/placement/placed.ts';
import { type Amounts, podRequests } from '../../decide/placement/resources.ts';
import { type Surroundings, surroundingsOf } from '../../decide/placement/seat.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Node, PersistentVolume, Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { extended } from '../../kubevirt/shapes.ts';

/** VMs whose launchers ask for the same and may stand on the same nodes, their own included. */
export interface ClaimKind {
  /** What each asks for, with `pods`. Kinds that ask for the same have the same object. */
  readonly amounts: Amounts;
  /** Where there is room enough beside those who stay, by name of the node. */
  readonly nodes: ReadonlySet<string>;
}

/**
 * The kinds of claims in one world.
 *
 * Promise: each node is judged once for all whose launchers ask for the same, and then for each kind by who is near alone: of
 * VMs in groups that keep apart, each group is a kind.
 */
export class ClaimKinds {
  readonly world: NamedView;
  readonly #kinds = new Map<string, ClaimKind>();
  readonly #amounts = new Map<string, Amounts>();
  readonly #roomy = new Map<string, readonly Node[]>();

  constructor(world: NamedView) {
    this.world = world;
  }

  get size(): number {
    return this.#kinds.size;
  }

  of(candidate: Candidate, amounts: Amounts): ClaimKind {
    const asked = keyOfAsked(this.world, candidate);
    const sizes = JSON.stringify([...amounts]);
    const key = [asked, sizes, keyOfNeighbours(this.world, candidate)].join();
    const known = this.#kinds.get(key) ?? this.#make(candidate, asked, this.#amounts.get(sizes) ?? amounts);
    this.#amounts.set(sizes, known.amounts);
    this.#kinds.set(key, known);
    return known;
  }

  /** Its nodes include the one that it leaves: of that, every claim says for itself. */
  #make(candidate: Candidate, asked: string, amounts: Amounts): ClaimKind {
    const around = surroundingsOf({ ...candidate, leaves: undefined }, this.world, false);
    const key = [asked, ...[...candidate.gone].map(keyOf), keyOfVolumes(candidate.plugged)].join();
    const roomy =
      this.#roomy.get(key) ?? this.world.nodes.filter((node) => passes(ROOM_FILTERS, around, node));
    this.#roomy.set(key, roomy);
    const open = roomy.filter((node) => passes(NEIGHBOUR_FILTERS, around, node));
    return { amounts, nodes: new Set(open.map(({ metadata }) => metadata.name)) };
  }
}

/** Filters that do not look at who is near. */
const ROOM_FILTERS = [...NODE_PROPERTY_FILTERS, ...RESOURCE_FILTERS, VOLUME_FILTER];

/** A node that does not tell what it has to give is counted on by nobody. */
function passes(filters: typeof NEIGHBOUR_FILTERS, around: Surroundings, node: Node): boolean {
  const seat = extended(around, { node });
  return node.status?.allocatable !== undefined && !filters.some(({ when }) => when(seat));
}

/** What filters read of a pod that do not look at who is near, but for those who are gone by then. */
function keyOfAsked(world: NamedView, { pod, selectors }: Candidate): string {
  const { tolerations, affinity } = pod.spec ?? {};
  return JSON.stringify([
    selectors.map(({ key, value }) => [key, value]),
    [tolerations, affinity?.nodeAffinity, keyOfVolumes(world.volumesOf(pod))],
    [...podRequests(pod)],
  ]);
}

function keyOfVolumes(volumes: readonly PersistentVolume[] = []): string {
  return JSON.stringify(volumes.map(({ spec }) => spec?.nodeAffinity));
}

/** What the others read. */
function keyOfNeighbours(world: NamedView, { pod }: Candidate): string {
  const apart = antiAffinityTerms(pod).filter((term) => creatorIn(term) === undefined);
  const near = affinityTerms(pod);
  const spreads = pod.spec?.topologySpreadConstraints;
  const mayCountItself = near.length + (spreads?.length ?? 0) > 0;
  return JSON.stringify([
    [keyOfTerms(apart, pod), near, spreads],
    pairsOf(guardedAgainst(pod, world, { gone: NOBODY })).sort(),
    mayCountItself ? [pod.metadata.namespace, sharedLabels(pod)] : [],
  ]);
}

/** Those that every launcher has for itself are left out. */
function sharedLabels({ metadata }: Pod): [string, string][] {
  return Object.entries(metadata.labels ?? {}).filter(([key]) => !OWN_LABELS.has(key));
}

const OWN_LABELS: ReadonlySet<string> = new Set([LABEL.createdBy, LABEL.nodeName, LABEL.vmName]);
