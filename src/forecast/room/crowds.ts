import { type Claim, type ClaimKind, leavesHome } from './claims.ts';
import { isGoneForSure } from './manner.ts';

/** Who may stand where in the end, by kinds: of thousands of claims only a few kinds are there. */
export class Crowds {
  /** How many may go to every node of their kind. */
  readonly #going = new Map<ClaimKind, number>();
  /** How many more, or fewer, may be on one node, since that is where they are. */
  readonly #atHome = new Map<string, Map<ClaimKind, number>>();
  /** How many there are at all in the end, each once. */
  readonly #there = new Map<ClaimKind, number>();
  readonly #sums = new Map<string, number>();

  constructor(all: readonly Claim[], certain: ReadonlySet<Claim>) {
    for (const claim of all) {
      const { kind, home, manner } = claim;
      const isGone = isGoneForSure(claim.one.ending);
      if (!isGone) addTo(this.#there, kind, 1);
      if (manner !== 'leaves') addTo(this.#going, kind, 1);
      const isCounted = manner !== 'leaves' && kind.nodes.has(home);
      const isAway = isGone || (leavesHome(claim) && certain.has(claim));
      if (isCounted && isAway) this.#correct(home, kind, -1);
      if (!isCounted && !isAway) this.#correct(home, kind, 1);
    }
  }

  /** How much of a resource those ask for who may stand on the node. */
  on(node: string, resource: string): number {
    const key = `${node} ${resource}`;
    const sum = this.#sums.get(key) ?? this.#sumOn(node, resource);
    this.#sums.set(key, sum);
    return sum;
  }

  #sumOn(node: string, resource: string): number {
    let sum = 0;
    for (const [kind, count] of this.#going)
      if (kind.nodes.has(node)) sum += count * amountOf(kind, resource);
    for (const [kind, count] of this.#atHome.get(node) ?? []) sum += count * amountOf(kind, resource);
    return sum;
  }

  /** All but one of the kind, each by the largest of its amounts in these scales. */
  weightBeside(kind: ClaimKind, scales: ReadonlyMap<string, number>): number {
    const weight = (of: ClaimKind) =>
      Math.max(...[...scales].map(([resource, scale]) => amountOf(of, resource) / scale));
    let sum = -weight(kind);
    for (const [other, count] of this.#there) sum += count * weight(other);
    return sum;
  }

  #correct(node: string, kind: ClaimKind, by: number): void {
    const held = this.#atHome.get(node) ?? new Map<ClaimKind, number>();
    this.#atHome.set(node, held);
    addTo(held, kind, by);
  }
}

function amountOf({ amounts }: ClaimKind, resource: string): number {
  return amounts.get(resource) ?? 0;
}

function addTo(counts: Map<ClaimKind, number>, kind: ClaimKind, by: number): void {
  counts.set(kind, (counts.get(kind) ?? 0) + by);
}
