import {
  affinityTerms,
  antiAffinityTerms,
  creatorIn,
  selects,
} from '../../decide/placement/affinity-terms.ts';
import { mindsInSpread } from '../../decide/placement/spread.ts';
import type { PlacementWorld } from '../../decide/placement/world.ts';
import { groupBy } from '../../kubevirt/group-by.ts';
import type { PodAffinityTerm } from '../../kubevirt/objects.ts';
import type { Claim, ClaimKind, Claims } from './claims.ts';

type ByTopology = Map<string, Set<Claim>>;

/**
 * Who of the claims minds whom: by anti-affinity each keeps the other off the domain that it is in, wherever that is by then; whom an
 * affinity or a spread looks at may be anywhere.
 */
export class Company {
  readonly #world: PlacementWorld;
  /** Whom the terms of a kind keep off, by topology key. */
  readonly #apart = new Map<ClaimKind, ByTopology>();
  /** Whose terms keep a claim off. */
  readonly #guards = new Map<Claim, Map<string, Set<ClaimKind>>>();
  readonly #byKind: ReadonlyMap<ClaimKind, readonly Claim[]>;
  /** Kinds that look where others are before they know where they may be. */
  readonly #looking = new Map<ClaimKind, ReadonlySet<Claim>>();

  constructor({ all, world }: Claims) {
    this.#world = world;
    this.#byKind = groupBy(all, ({ kind }) => kind);
    for (const [kind, [first]] of this.#byKind) if (first) this.#read(kind, first, all);
  }

  /** Those whom it minds, or who mind it. */
  of(claim: Claim): ReadonlySet<Claim> {
    if (!this.#isMinding(claim)) return NOBODY;
    const apart = [...this.#keepersOff(claim).values()].flatMap((claims) => [...claims]);
    return without(new Set([...apart, ...(this.#looking.get(claim.kind) ?? [])]), claim);
  }

  /** Whether one of these nodes is left for it, wherever the others are. */
  leavesSome(claim: Claim, nodes: readonly string[]): boolean {
    if (without(this.#looking.get(claim.kind) ?? NOBODY, claim).size > 0) return false;
    const lost = [...this.#keepersOff(claim)].map(([topologyKey, keepers]) => {
      const sizes = this.#domainSizes(topologyKey, nodes);
      return sizes.slice(0, without(keepers, claim).size).reduce((sum, size) => sum + size, 0);
    });
    return nodes.length - lost.reduce((sum, size) => sum + size, 0) > 0;
  }

  #isMinding(claim: Claim): boolean {
    return this.#guards.has(claim) || this.#apart.has(claim.kind) || this.#looking.has(claim.kind);
  }

  #read(kind: ClaimKind, first: Claim, all: readonly Claim[]): void {
    for (const term of antiAffinityTerms(first.pod)) {
      if (creatorIn(term) === undefined) this.#readApart(kind, term, this.#selected(term, first, all));
    }
    const near = affinityTerms(first.pod).flatMap((term) => this.#selected(term, first, all));
    const isSpread = first.pod.spec?.topologySpreadConstraints !== undefined;
    const spread = isSpread ? all.filter((other) => mindsInSpread(first.pod, other.pod)) : [];
    if (near.length + spread.length > 0) this.#looking.set(kind, new Set([...near, ...spread]));
  }

  #readApart(kind: ClaimKind, { topologyKey }: PodAffinityTerm, selected: readonly Claim[]): void {
    const apart = this.#apart.get(kind) ?? new Map<string, Set<Claim>>();
    this.#apart.set(kind, apart);
    apart.set(topologyKey, new Set([...(apart.get(topologyKey) ?? []), ...selected]));
    for (const claim of selected) {
      const guards = this.#guards.get(claim) ?? new Map<string, Set<ClaimKind>>();
      this.#guards.set(claim, guards);
      guards.set(topologyKey, new Set([...(guards.get(topologyKey) ?? []), kind]));
    }
  }

  #selected(term: PodAffinityTerm, { pod }: Claim, all: readonly Claim[]): Claim[] {
    return all.filter((other) => selects(term, pod, other.pod, this.#world));
  }

  #keepersOff(claim: Claim): ByTopology {
    const keepers: ByTopology = new Map(this.#apart.get(claim.kind));
    for (const [topologyKey, kinds] of this.#guards.get(claim) ?? []) {
      const guarding = [...kinds].flatMap((kind) => this.#byKind.get(kind) ?? []);
      keepers.set(topologyKey, new Set([...(keepers.get(topologyKey) ?? []), ...guarding]));
    }
    return keepers;
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

const NOBODY: ReadonlySet<Claim> = new Set();

function without(claims: ReadonlySet<Claim>, claim: Claim): ReadonlySet<Claim> {
  return claims.has(claim) ? new Set([...claims].filter((other) => other !== claim)) : claims;
}
