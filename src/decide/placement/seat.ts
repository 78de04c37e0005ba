import type { Node } from '../../kubevirt/objects.ts';
import { compareText } from '../../kubevirt/order.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Candidate } from './candidate.ts';
import { avoidedBy, type Company, companyOf, guardedAgainst, type Taken } from './neighbours.ts';
import { type Amounts, loadOf, minus, podRequests } from './resources.ts';
import { type Spread, spreadsOf } from './spread.ts';
import type { PlacementView } from './world.ts';

/** What a candidate finds around it, the same for every node. */
export interface Surroundings {
  readonly candidate: Candidate;
  readonly world: PlacementView;
  readonly requests: Amounts;
  readonly avoided: Taken;
  readonly guarded: Taken;
  readonly company: Company;
  readonly spreads: readonly Spread[];
  /** The pods of other VMs are taken to have left. */
  readonly withoutVms: boolean;
}

/** One candidate on one node: what a filter judges. */
export interface Seat extends Surroundings {
  readonly node: Node;
}

/** A resource of which the node has less left than the pod asks for. */
export interface Shortage {
  readonly resource: string;
  readonly needed: number;
  readonly free: number;
  readonly allocatable: number;
}

/**
 * The surroundings of a candidate as they are, or as they would be without the pods of other VMs. Company that a required
 * affinity asks for stays in both: who left would no longer ask for it.
 */
export function surroundingsOf(
  candidate: Candidate,
  world: PlacementView,
  withoutVms: boolean,
): Surroundings {
  const { pod, gone } = candidate;
  const presence = { gone, onlyOfVms: withoutVms ? keyOf(pod) : undefined };
  return {
    candidate,
    world,
    withoutVms,
    requests: podRequests(pod),
    avoided: avoidedBy(pod, world, presence),
    guarded: guardedAgainst(pod, world, presence),
    company: companyOf(pod, world, { gone }),
    spreads: spreadsOf(pod, world, presence),
  };
}

/** Resources without which no node works: a node that tells the others but not these is a cut dump, not a node without them. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What the node lacks, by resource name; `pods` is one of them. Promise: nothing where the node does not tell what it has. */
export function shortagesOf(seat: Seat): Shortage[] {
  const has = seat.world.allocatableOn(seat.node);
  if (!has) return [];
  const load = loadAround(seat);
  const shortages: Shortage[] = [];
  // Every node is asked for every pod, and most have enough: nothing is made but where something is short.
  const look = (needed: number, resource: string): void => {
    const allocatable = has.get(resource) ?? (ALWAYS_TOLD.has(resource) ? Number.POSITIVE_INFINITY : 0);
    const free = allocatable - (load.get(resource) ?? 0);
    if (needed > 0 && needed > free) shortages.push({ resource, needed, free, allocatable });
  };
  seat.requests.forEach(look);
  look(1, 'pods');
  return shortages.sort((a, b) => compareText(a.resource, b.resource));
}

function loadAround({ node, world, candidate, withoutVms }: Seat): Amounts {
  const name = node.metadata.name;
  if (withoutVms) return world.loadOn(name, true);
  const gone = [...candidate.gone].filter(({ spec }) => spec?.nodeName === name);
  return gone.length > 0 ? minus(world.loadOn(name), loadOf(gone)) : world.loadOn(name);
}
