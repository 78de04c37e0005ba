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
  const rivalsOf = (claim: Claim) => [
    ...new Set([...rivals.of(claim), ...[...company.of(claim)].map(({ vm }) => vm)]),
  ];
  const told = new Map(
    contested.map((claim) => [claim.one, toldOfContest(claim.one, places.has(claim), rivalsOf(claim))]),
  );
  return foreseen.map((one) => told.get(one) ?? one);
}

/** Who may come to a node that a claim could be met on; found once for all of the same kind, home and manner. */
class Rivals {
  readonly #all: readonly Claim[];
  readonly #known = new Map<ClaimKind, Map<string, readonly string[]>>();

  constructor(all: readonly Claim[]) {
    this.#all = all;
  }

  /** In the order given, without itself. */
  of(claim: Claim): readonly string[] {
    const { kind, home, manner, vm } = claim;
    const ofKind = this.#known.get(kind) ?? new Map<string, readonly string[]>();
    this.#known.set(kind, ofKind);
    const key = `${manner} ${home}`;
    const names =
      ofKind.get(key) ?? this.#all.filter((other) => isRival(claim, other)).map((other) => other.vm);
    ofKind.set(key, names);
    return names.filter((name) => name !== vm);
  }
}

function isRival({ kind, home, manner }: Claim, other: Claim): boolean {
  if (other.manner === 'leaves') return false;
  for (const node of kind.nodes) {
    const isOpen = node !== other.home && !(manner === 'moves' && node === home);
    if (isOpen && other.kind.nodes.has(node)) return true;
  }
  return false;
}
