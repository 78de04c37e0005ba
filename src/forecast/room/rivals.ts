import type { Claim } from './claims.ts';
import type { Company } from './company.ts';
import type { ClaimKind } from './kinds.ts';

/**
 * Who may come to a node that a claim could be met on, and then whom else it minds; found once for all of the same kind, home, manner
 * and company.
 */
export class Rivals {
  readonly #company: Company;
  readonly #coming: readonly Claim[];
  readonly #names: readonly string[];
  readonly #kinds: ReadonlySet<ClaimKind>;
  /** How many nodes there are that somebody may stand on. */
  readonly #nodeCount: number;
  readonly #meetsAll = new Map<ClaimKind, boolean>();
  readonly #known = new Map<ClaimKind, Map<string, readonly string[]>>();
  readonly #withMinded = new Map<readonly string[], Map<ReadonlySet<Claim>, readonly string[]>>();

  constructor(all: readonly Claim[], company: Company) {
    this.#company = company;
    this.#coming = all.filter(({ manner }) => manner !== 'leaves');
    this.#names = namesOf(this.#coming);
    this.#kinds = new Set(this.#coming.map(({ kind }) => kind));
    this.#nodeCount = new Set([...this.#kinds].flatMap(({ nodes }) => [...nodes])).size;
  }

  /** In the order given, without itself. */
  of(claim: Claim): readonly string[] {
    const names = this.#comingNear(claim);
    const minded = this.#company.of(claim);
    const known = this.#withMinded.get(names) ?? new Map<ReadonlySet<Claim>, readonly string[]>();
    this.#withMinded.set(names, known);
    const all = known.get(minded) ?? [...new Set([...names, ...namesOf([...minded])])];
    known.set(minded, all);
    return all.filter((name) => name !== claim.vm);
  }

  #comingNear(claim: Claim): readonly string[] {
    const { kind, home, manner } = claim;
    const meetsAll =
      this.#meetsAll.get(kind) ?? [...this.#kinds].every((other) => this.#meetForSure(kind, other));
    this.#meetsAll.set(kind, meetsAll);
    if (meetsAll) return this.#names;
    const ofKind = this.#known.get(kind) ?? new Map<string, readonly string[]>();
    this.#known.set(kind, ofKind);
    const key = `${manner} ${home}`;
    const names = ofKind.get(key) ?? namesOf(this.#coming.filter((other) => isRival(claim, other)));
    ofKind.set(key, names);
    return names;
  }

  /** Whether all of both kinds could be met, wherever they are: of three nodes at most two are the home of one or the other. */
  #meetForSure({ nodes }: ClaimKind, other: ClaimKind): boolean {
    if (nodes.size + other.nodes.size - this.#nodeCount >= 3) return true;
    let shared = 0;
    for (const node of nodes) if (other.nodes.has(node) && ++shared === 3) return true;
    return false;
  }
}

function namesOf(claims: readonly Claim[]): readonly string[] {
  return [...new Set(claims.map(({ vm }) => vm))];
}

function isRival({ kind, home, manner }: Claim, other: Claim): boolean {
  for (const node of kind.nodes) {
    const isOpen = node !== other.home && !(manner === 'moves' && node === home);
    if (isOpen && other.kind.nodes.has(node)) return true;
  }
  return false;
}
