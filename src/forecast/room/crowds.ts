import type { Amounts } from '../../decide/placement/resources.ts';
import { type Claim, leavesHome } from './claims.ts';
import type { ClaimKind } from './kinds.ts';
import { isGoneForSure } from './manner.ts';

/** Who may stand where in the end, by kinds: of thousands of claims only a few kinds are there. */
export class Crowds {
  /** How many may go to every node of their kind. */
  readonly #going = new Map<ClaimKind, number>();
  /** How many more, or fewer, may be on one node, since that is where they are. */
  readonly #atHome = new Map<string, Map<ClaimKind, number>>();
  /** How many there are at all in the end, each once. */
  readonly #there = new Map<ClaimKind, number>();
  readonly #sums = new Map<string, Amounts>();

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

  /** What those ask for who may stand on the node. */
  on(node: string): Amounts {
    const known = this.#sums.get(node) ?? this.#sumOn(node);
    this.#sums.set(node, known);
    return known;
  }

  #sumOn(node: string): Amounts {
    const sum = new Map<string, number>();
    const add = ({ amounts }: ClaimKind, count: number) => {
      for (const [resource, amount] of amounts) sum.set(resource, (sum.get(resource) ?? 0) + count * amount);
    };
    for (const [kind, count] of this.#going) if (kind.nodes.has(node)) add(kind, count);
    for (const [kind, count] of this.#atHome.get(node) ?? []) add(kind, count);
    return sum;
  }

  /** All but one of the kind, each by the largest of its amounts in these scales. */
  weightBeside(kind: ClaimKind, scales: ReadonlyMap<string, number>): number {
    const weights = new Map<Amounts, number>();
    const weight = ({ amounts }: ClaimKind): number => {
      const known = weights.get(amounts) ?? weightOf(amounts, scales);
      weights.set(amounts, known);
      return known;
    };
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

function weightOf(amounts: Amounts, scales: ReadonlyMap<string, number>): number {
  return Math.max(...[...scales].map(([resource, scale]) => (amounts.get(resource) ?? 0) / scale));
}

function addTo(counts: Map<ClaimKind, number>, kind: ClaimKind, by: number): void {
  counts.set(kind, (counts.get(kind) ?? 0) + by);
}
