import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';
import { certainOf } from './chance.ts';
import { type Claim, type ClaimKind, claimsOf } from './claims.ts';
import { Company } from './company.ts';
import { toldOfContest, withoutPromise } from './contest-words.ts';
import { placesInTurn } from './turns.ts';

/** So many places are judged at most, of a kind of VMs on a node each: in a large cluster, some hundred kinds. */
const MOST_JUDGED = 200_000;

/**
 * VMs of one action that ask for the same room. Those for whom there is some whatever the others do keep their verdicts. Of the rest
 * chance decides: they are met in turn here, by namespace and name, and who comes too late stays or waits; every verdict tells
 * the other way too. `before`: who had their turn already, as the nodes that are drained before have. Of
 * too many kinds of VMs nobody is promised the room that others leave.
 */
export function withContest(
  context: Context,
  foreseen: readonly Foreseen[],
  before: readonly Foreseen[] = [],
  mostJudged = MOST_JUDGED,
): Foreseen[] {
  const claims = claimsOf(context, [...before, ...foreseen], mostJudged);
  if (!claims) return foreseen.map(withoutPromise);
  const company = new Company(claims);
  const certain = certainOf(claims, company);
  const contested = claims.all.filter((claim) => claim.manner !== 'leaves' && !certain.has(claim));
  if (contested.length === 0) return [...foreseen];
  const places = placesInTurn(claims);
  const rivals = new Rivals(claims.all);
  const rivalsOf = (claim: Claim) => {
    const names = rivals.of(claim);
    const minded = [...company.of(claim)].map(({ vm }) => vm);
    return [...names, ...minded.filter((vm) => !names.includes(vm))];
  };
  const told = new Map(
    contested.map((claim) => [claim.one, toldOfContest(claim.one, places.has(claim), rivalsOf(claim))]),
  );
  return foreseen.map((one) => told.get(one) ?? one);
}

/** Who may come to a node that a claim could be met on; found once for all of the same kind, home and manner. */
class Rivals {
  readonly #coming: readonly Claim[];
  readonly #names: readonly string[];
  readonly #kinds: ReadonlySet<ClaimKind>;
  readonly #meetsAll = new Map<ClaimKind, boolean>();
  readonly #known = new Map<ClaimKind, Map<string, readonly string[]>>();

  constructor(all: readonly Claim[]) {
    this.#coming = all.filter(({ manner }) => manner !== 'leaves');
    this.#names = namesOf(this.#coming);
    this.#kinds = new Set(this.#coming.map(({ kind }) => kind));
  }

  /** In the order given, without itself. */
  of(claim: Claim): readonly string[] {
    return this.#withItself(claim).filter((name) => name !== claim.vm);
  }

  #withItself(claim: Claim): readonly string[] {
    const { kind, home, manner } = claim;
    const meetsAll = this.#meetsAll.get(kind) ?? [...this.#kinds].every((other) => meetForSure(kind, other));
    this.#meetsAll.set(kind, meetsAll);
    if (meetsAll) return this.#names;
    const ofKind = this.#known.get(kind) ?? new Map<string, readonly string[]>();
    this.#known.set(kind, ofKind);
    const key = `${manner} ${home}`;
    const names = ofKind.get(key) ?? namesOf(this.#coming.filter((other) => isRival(claim, other)));
    ofKind.set(key, names);
    return names;
  }
}

function namesOf(claims: readonly Claim[]): readonly string[] {
  return [...new Set(claims.map(({ vm }) => vm))];
}

/** Whether all of both kinds could be met, wherever they are: of three nodes at most two are the home of one or the other. */
function meetForSure({ nodes }: ClaimKind, other: ClaimKind): boolean {
  let shared = 0;
  for (const node of nodes) if (other.nodes.has(node) && ++shared === 3) return true;
  return false;
}

function isRival({ kind, home, manner }: Claim, other: Claim): boolean {
  for (const node of kind.nodes) {
    const isOpen = node !== other.home && !(manner === 'moves' && node === home);
    if (isOpen && other.kind.nodes.has(node)) return true;
  }
  return false;
}
