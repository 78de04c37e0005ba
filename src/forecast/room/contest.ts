import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';
import { certainOf } from './chance.ts';
import { type Claim, claimsOf } from './claims.ts';
import { Company } from './company.ts';
import { toldOfContest, withoutPromise } from './contest-words.ts';
import { Rivals } from './rivals.ts';
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
  const asking = new Set(foreseen);
  const isContested = (claim: Claim) => claim.manner !== 'leaves' && !certain.has(claim);
  const contested = claims.all.filter((claim) => asking.has(claim.one) && isContested(claim));
  if (contested.length === 0) return [...foreseen];
  const places = placesInTurn(claims);
  const rivals = new Rivals(claims.all, company);
  const told = new Map(
    contested.map((claim) => [claim.one, toldOfContest(claim.one, places.has(claim), rivals.of(claim))]),
  );
  return foreseen.map((one) => told.get(one) ?? one);
}
