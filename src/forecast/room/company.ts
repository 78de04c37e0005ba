import {
  affinityTerms,
  antiAffinityTerms,
  creatorIn,
  keyOfTerms,
  selects,
} from '../../decide/placement/affinity-terms.ts';
import { ByLabel } from '../../decide/placement/by-label.ts';
import { mindsInSpread } from '../../decide/placement/spread.ts';
import type { NamedView } from '../../decide/placement/world.ts';
import { addToGroup, groupBy } from '../../kubevirt/group-by.ts';
import type { PodAffinityTerm } from '../../kubevirt/objects.ts';
import type { Claim, Claims } from './claims.ts';

/** Whom a claim minds for one reason, or who mind it; it may be among them itself. */
interface Minded {
  readonly id: number;
  /** By anti-affinity: each keeps the other off its domain of this topology. Absent: it looks where they are before it goes. */
  readonly topologyKey?: string | undefined;
  readonly claims: readonly Claim[];
}

/** The same of all its reasons. */
interface Circle {
  readonly apart: ReadonlyMap<string, ReadonlySet<Claim>>;
  readonly looking: ReadonlySet<Claim>;
  readonly all: ReadonlySet<Claim>;
}

/**
 * Who of the claims minds whom: by anti-affinity each keeps the other off the domain that it is in, wherever that is by then; whom an
 * affinity or a spread looks at may be anywhere.
 *
 * Promise: claims that mind the same share one circle, so that of thousands with one label it is worked out once.
 */
export class Company {
  readonly #world: NamedView;
  readonly #minded = new Map<Claim, Minded[]>();
  readonly #circles = new Map<string, Circle>();
  #reasons = 0;

  constructor({ all, world }: Claims) {
    this.#world = world;
    this.#readApart(all);
    for (const claims of groupBy(all, ({ kind }) => kind).values()) this.#readLooking(claims, all);
  }

  /** Those whom it minds, or who mind it, and perhaps itself; the same set for claims that mind the same. */
  of(claim: Claim): ReadonlySet<Claim> {
    return this.#circleOf(claim).all;
  }

  /** Whether it minds another, or another minds it. */
  isMinding(claim: Claim): boolean {
    return othersIn(this.of(claim), claim) > 0;
  }

  /** Whether one of these nodes is left for it, wherever the others are. */
  leavesSome(claim: Claim, nodes: readonly string[]): boolean {
    const { apart, looking } = this.#circleOf(claim);
    if (othersIn(looking, claim) > 0) return false;
    const lost = [...apart].map(([topologyKey, keepers]) => {
      const sizes = this.#domainSizes(topologyKey, nodes);
      return sizes.slice(0, othersIn(keepers, claim)).reduce((sum, size) => sum + size, 0);
    });
    return nodes.length - lost.reduce((sum, size) => sum + size, 0) > 0;
  }

  /** Each who holds a term minds those whom it selects, and is minded by them. */
  #readApart(all: readonly Claim[]): void {
    const terms = all.flatMap((claim) => termsAboutOthers(claim).map((term) => ({ term, claim })));
    const byLabel = new ByLabel(all);
    const alike = groupBy(terms, ({ term, claim }) => keyOfTerms([term], claim.pod));
    for (const held of alike.values()) {
      const holders = held.map(({ claim }) => claim);
      for (const { term, claim } of held.slice(0, 1)) {
        const selected = this.#selected(term, claim, byLabel.perhapsSelectedBy(term));
        this.#mind(holders, selected, term.topologyKey);
        this.#mind(selected, holders, term.topologyKey);
      }
    }
  }

  /** Claims of one kind look for the same. */
  #readLooking(claims: readonly Claim[], all: readonly Claim[]): void {
    for (const first of claims.slice(0, 1)) {
      const near = affinityTerms(first.pod).flatMap((term) => this.#selected(term, first, all));
      const isSpread = first.pod.spec?.topologySpreadConstraints !== undefined;
      const spread = isSpread ? all.filter((other) => mindsInSpread(first.pod, other.pod)) : [];
      if (near.length + spread.length > 0) this.#mind(claims, [...near, ...spread]);
    }
  }

  #mind(claims: readonly Claim[], others: readonly Claim[], topologyKey?: string): void {
    const minded = { id: this.#reasons++, topologyKey, claims: others };
    for (const claim of claims) addToGroup(this.#minded, claim, minded);
  }

  #selected(term: PodAffinityTerm, { pod }: Claim, perhaps: readonly Claim[]): Claim[] {
    return perhaps.filter((other) => selects(term, pod, other.pod, this.#world));
  }

  #circleOf(claim: Claim): Circle {
    const minded = this.#minded.get(claim) ?? [];
    const key = minded.map(({ id }) => id).join();
    const circle = this.#circles.get(key) ?? circleOf(minded);
    this.#circles.set(key, circle);
    return circle;
  }

  /** How many of the nodes are in each domain, most first; a node without the label is in none. */
  #domainSizes(topologyKey: string, nodes: readonly string[]): number[] {
    const sizes = new Map<string, number>();
    for (const name of nodes) {
      const domain = this.#world.node(name)?.metadata.labels?.[topologyKey];
      if (domain !== undefined) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
    }
    return [...sizes.values()].sort((a, b) => b - a);
  }
}

function circleOf(minded: readonly Minded[]): Circle {
  const byTopology = groupBy(minded, ({ topologyKey }) => topologyKey);
  const claimsIn = (reasons: readonly Minded[] = []) => new Set(reasons.flatMap(({ claims }) => claims));
  const apart = new Map<string, ReadonlySet<Claim>>();
  for (const [topologyKey, reasons] of byTopology) {
    if (topologyKey !== undefined) apart.set(topologyKey, claimsIn(reasons));
  }
  return { apart, looking: claimsIn(byTopology.get(undefined)), all: claimsIn(minded) };
}

/** Terms about the pods of one VMI alone are about its own. */
function termsAboutOthers({ pod }: Claim): PodAffinityTerm[] {
  return antiAffinityTerms(pod).filter((term) => creatorIn(term) === undefined);
}

function othersIn(claims: ReadonlySet<Claim>, claim: Claim): number {
  return claims.size - (claims.has(claim) ? 1 : 0);
}
