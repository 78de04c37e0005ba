import { type Claim, type ClaimKind, type Claims, leavesHome } from './claims.ts';
import { Company } from './company.ts';
import { Crowds } from './crowds.ts';
import { isGoneForSure } from './manner.ts';
import { canAddUp } from './subset-sums.ts';

/**
 * The claims that find room in the end, in whatever order all of them are met and wherever the scheduler puts them.
 *
 * Promise: what is named here is certain; of the rest chance decides, or sums are too coarse to tell. Who minds others finds room
 * where each of them may keep it off one domain, and not where it looks for some of them.
 */
export function certainOf(claims: Claims, company = new Company(claims)): ReadonlySet<Claim> {
  let certain: ReadonlySet<Claim> = new Set();
  for (;;) {
    const round = new Round(claims, certain, company);
    const next = new Set(claims.all.filter((claim) => round.isMet(claim)));
    if (next.size === certain.size) return certain;
    certain = next;
  }
}

/** Of more claims only the sums are weighed, as if launchers could be split. */
const MOST_WEIGHED = 64;

/** What others leave a kind of claims at the worst. */
interface Rest {
  /** Nodes that cannot be filled up so far that none of its launchers fits. */
  readonly open: ReadonlySet<string>;
  /** Of all its nodes, so many at least cannot be filled up at the same time. */
  readonly spare: number;
}

/** What is left on a node beside those who stay and one of the kind, by resource that the kind asks for. */
type Slack = ReadonlyMap<string, number>;

/** One look at all claims, with what is certain so far: who surely moves is no longer where it was. */
class Round {
  readonly #claims: Claims;
  readonly #certain: ReadonlySet<Claim>;
  readonly #crowds: Crowds;
  readonly #company: Company;
  readonly #rests = new Map<ClaimKind, Rest>();

  constructor(claims: Claims, certain: ReadonlySet<Claim>, company: Company) {
    this.#claims = claims;
    this.#company = company;
    this.#certain = certain;
    this.#crowds = new Crowds(claims.all, certain);
  }

  isMet(claim: Claim): boolean {
    const { manner, kind, home } = claim;
    if (manner === 'leaves') return false;
    const { open, spare } = this.#restOf(kind);
    if (this.#company.isMinding(claim)) {
      const nodes = [...open].filter((node) => manner === 'restarts' || node !== home);
      return this.#company.leavesSome(claim, nodes);
    }
    if (manner === 'restarts') return open.size > 0 || spare > 0;
    return open.size > (open.has(home) ? 1 : 0) || spare > (kind.nodes.has(home) ? 1 : 0);
  }

  #restOf(kind: ClaimKind): Rest {
    const known = this.#rests.get(kind) ?? this.#reckon(kind);
    this.#rests.set(kind, known);
    return known;
  }

  #reckon(kind: ClaimKind): Rest {
    const slacks = new Map([...kind.nodes].map((node) => [node, slackOn(this.#claims, kind, node)]));
    const open = [...slacks].filter(([node, slack]) => !this.#canFill(kind, node, slack));
    const filled = mostFilled([...slacks.values()], this.#crowds, kind);
    return { open: new Set(open.map(([node]) => node)), spare: slacks.size - filled };
  }

  /** Whether some of those who may stand on the node, but for one of the kind itself, leave one of the kind too little. */
  #canFill(kind: ClaimKind, node: string, slack: Slack): boolean {
    const isMany = this.#claims.all.length > MOST_WEIGHED;
    return [...kind.amounts].some(([resource, amount]) => {
      const above = slack.get(resource) ?? 0;
      const isEnough = this.#crowds.on(node, resource) - amount > above;
      return isEnough && (isMany || canAddUp(this.#sizesOn(node, kind, resource), above, above + amount));
    });
  }

  /** What each who may stand on the node asks for, but for one of the kind. */
  #sizesOn(node: string, kind: ClaimKind, resource: string): readonly number[] {
    const there = this.#claims.all.filter((claim) => mayStandOn(claim, node, this.#certain));
    const own = there.findIndex((claim) => claim.kind === kind);
    const others = there.filter((_, index) => index !== own);
    return others.flatMap((claim) => claim.kind.amounts.get(resource) ?? []);
  }
}

function slackOn({ world }: Claims, { amounts }: ClaimKind, name: string): Slack {
  const node = world.node(name);
  const has = (node && world.allocatableOn(node)) ?? new Map<string, number>();
  const load = world.loadOn(name);
  return new Map(
    [...amounts].map(([resource, amount]) => {
      // What a node does not tell is not judged by the scheduler's filters either.
      const total = has.get(resource);
      const left =
        total === undefined ? Number.POSITIVE_INFINITY : total - (load.get(resource) ?? 0) - amount;
      return [resource, left];
    }),
  );
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
