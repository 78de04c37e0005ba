import type { Amounts } from '../../decide/placement/resources.ts';
import { type Claim, type Claims, leavesHome } from './claims.ts';
import { Company } from './company.ts';
import { Crowds } from './crowds.ts';
import type { ClaimKind } from './kinds.ts';
import { isGoneForSure } from './manner.ts';
import { type Slack, Slacks } from './slacks.ts';
import { canAddUp } from './subset-sums.ts';

/**
 * The claims that find room in the end, in whatever order all of them are met and wherever the scheduler puts them.
 *
 * Promise: what is named here is certain; of the rest chance decides, or sums are too coarse to tell. Who minds others finds room
 * where each of them may keep it off one domain, and not where it looks for some of them.
 */
export function certainOf(claims: Claims, company = new Company(claims)): ReadonlySet<Claim> {
  const slacks = new Slacks(claims.world);
  let certain: ReadonlySet<Claim> = new Set();
  for (;;) {
    const round = new Round(claims, certain, company, slacks);
    const next = new Set(claims.all.filter((claim) => round.isMet(claim)));
    if (next.size === certain.size) return certain;
    certain = next;
  }
}

/** Of more claims only the sums are weighed, as if launchers could be split. */
const MOST_WEIGHED = 64;

/** One look at all claims, with what is certain so far: who surely moves is no longer where it was. */
class Round {
  readonly #claims: Claims;
  readonly #certain: ReadonlySet<Claim>;
  readonly #crowds: Crowds;
  readonly #company: Company;
  readonly #slacks: Slacks;
  readonly #open = new Map<ClaimKind, ReadonlySet<string>>();
  readonly #spare = new Map<ClaimKind, number>();
  readonly #scarce = new Map<Amounts, Map<string, readonly string[]>>();

  constructor(claims: Claims, certain: ReadonlySet<Claim>, company: Company, slacks: Slacks) {
    this.#claims = claims;
    this.#company = company;
    this.#slacks = slacks;
    this.#certain = certain;
    this.#crowds = new Crowds(claims.all, certain);
  }

  isMet(claim: Claim): boolean {
    const { manner, kind, home } = claim;
    if (manner === 'leaves') return false;
    const open = this.#openTo(kind);
    if (this.#company.isMinding(claim)) {
      const nodes = [...open].filter((node) => manner === 'restarts' || node !== home);
      return this.#company.leavesSome(claim, nodes);
    }
    const own = (nodes: ReadonlySet<string>) => (manner === 'moves' && nodes.has(home) ? 1 : 0);
    return open.size > own(open) || this.#spareOf(kind) > own(kind.nodes);
  }

  /** Nodes that others cannot fill up so far that none of the kind fits. */
  #openTo(kind: ClaimKind): ReadonlySet<string> {
    const known =
      this.#open.get(kind) ?? new Set([...kind.nodes].filter((node) => !this.#canFill(kind, node)));
    this.#open.set(kind, known);
    return known;
  }

  /** Of all nodes of the kind, so many at least cannot be filled up at the same time. */
  #spareOf(kind: ClaimKind): number {
    const known = this.#spare.get(kind) ?? kind.nodes.size - this.#mostFilled(kind);
    this.#spare.set(kind, known);
    return known;
  }

  #mostFilled(kind: ClaimKind): number {
    const slacks = [...kind.nodes].map((node) => this.#slacks.on(node, kind.amounts));
    return mostFilled(slacks, this.#crowds, kind);
  }

  /** Whether some of those who may stand on the node, but for one of the kind itself, leave one of the kind too little. */
  #canFill(kind: ClaimKind, node: string): boolean {
    const scarce = this.#scarceOn(node, kind.amounts);
    if (this.#claims.all.length > MOST_WEIGHED) return scarce.length > 0;
    const slack = this.#slacks.on(node, kind.amounts);
    return scarce.some((resource) => {
      const above = slack.get(resource) ?? 0;
      const amount = kind.amounts.get(resource) ?? 0;
      return canAddUp(this.#sizesOn(node, kind, resource), above, above + amount);
    });
  }

  /** Of what all together, but for one, leave too little for that one. */
  #scarceOn(node: string, amounts: Amounts): readonly string[] {
    const known = this.#scarce.get(amounts) ?? new Map<string, readonly string[]>();
    this.#scarce.set(amounts, known);
    const scarce = known.get(node) ?? this.#reckonScarce(node, amounts);
    known.set(node, scarce);
    return scarce;
  }

  #reckonScarce(node: string, amounts: Amounts): readonly string[] {
    const slack = this.#slacks.on(node, amounts);
    const crowd = this.#crowds.on(node);
    const isScarce = ([resource, amount]: readonly [string, number]) =>
      (crowd.get(resource) ?? 0) - amount > (slack.get(resource) ?? 0);
    return [...amounts].filter(isScarce).map(([resource]) => resource);
  }

  /** What each who may stand on the node asks for, but for one of the kind. */
  #sizesOn(node: string, kind: ClaimKind, resource: string): readonly number[] {
    const there = this.#claims.all.filter((claim) => mayStandOn(claim, node, this.#certain));
    const own = there.findIndex((claim) => claim.kind === kind);
    const others = there.filter((_, index) => index !== own);
    return others.flatMap((claim) => claim.kind.amounts.get(resource) ?? []);
  }
}

/**
 * How many nodes all others can fill up at most, those with the least left first. Each other counts by the largest of its shares in
 * the resources, for it helps to fill one node alone, be it by what resource it may.
 */
function mostFilled(slacks: readonly Slack[], crowds: Crowds, kind: ClaimKind): number {
  const scales = new Map([...kind.amounts.keys()].map((resource) => [resource, scaleOf(slacks, resource)]));
  const needs = slacks.map((slack) =>
    Math.min(...[...slack].map(([resource, left]) => (left + 1) / (scales.get(resource) ?? 1))),
  );
  let left = crowds.weightBeside(kind, scales);
  let filled = 0;
  for (const need of needs.sort((a, b) => a - b)) {
    left -= need;
    if (left < -ROUNDING) break;
    filled++;
  }
  return filled;
}

/** Shares are fractions; a node that is filled but for so little counts as filled. */
const ROUNDING = 1e-6;

/** The most that any node has left of a resource. */
function scaleOf(slacks: readonly Slack[], resource: string): number {
  const left = slacks.map((slack) => slack.get(resource) ?? 0).filter(Number.isFinite);
  return Math.max(0, ...left) + 1;
}

function mayStandOn(claim: Claim, node: string, certain: ReadonlySet<Claim>): boolean {
  const { manner, home, kind } = claim;
  if (isGoneForSure(claim.one.ending)) return false;
  if (node === home) return !(leavesHome(claim) && certain.has(claim));
  return manner !== 'leaves' && kind.nodes.has(node);
}
