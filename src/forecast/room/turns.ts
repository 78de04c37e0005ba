import { type Amounts, minus, plus } from '../../decide/placement/resources.ts';
import type { Claim, Claims } from './claims.ts';

/**
 * Where every claim is met when they are met one after another, in the order given, each on the node that it leaves most of;
 * those without a node are met by none. Who restarts and may stand where it stood does so; what others leave is there for the next
 * round.
 */
export function placesInTurn(claims: Claims): ReadonlyMap<Claim, string> {
  const rooms = new Rooms(claims);
  const places = new Map<Claim, string>();
  for (const claim of claims.all) {
    if (isBackHome(claim)) places.set(claim, claim.home);
    else if (claim.manner !== 'moves') rooms.leave(claim);
  }
  let waiting = claims.all.filter((claim) => claim.manner !== 'leaves' && !places.has(claim));
  for (let met = waiting; met.length > 0; waiting = waiting.filter((claim) => !places.has(claim))) {
    met = waiting.filter((claim) => {
      const node = rooms.meet(claim);
      if (node !== undefined) places.set(claim, node);
      return node !== undefined;
    });
    for (const claim of met) if (claim.manner === 'moves') rooms.leave(claim);
  }
  return places;
}

/** Those whom a budget refuses are not shut down at all in this order. */
function isBackHome({ manner, kind, home, one }: Claim): boolean {
  return manner === 'restarts' && (kind.nodes.has(home) || one.ending.outcome === 'Blocks');
}

/** What is free on the nodes while some come and others go. */
class Rooms {
  readonly #claims: Claims;
  readonly #loads = new Map<string, Amounts>();

  constructor(claims: Claims) {
    this.#claims = claims;
    for (const { home, kind } of claims.all) this.#put(home, kind.amounts);
  }

  leave({ home, kind }: Claim): void {
    this.#loads.set(home, minus(this.#loadOn(home), kind.amounts));
  }

  /** The node that the claim is met on, which it then holds beside its own; none: there is no room. */
  meet({ kind, home, manner }: Claim): string | undefined {
    let best: { readonly node: string; readonly left: number } | undefined;
    for (const node of kind.nodes) {
      const left = manner === 'moves' && node === home ? -1 : this.#leftOn(node, kind.amounts);
      if (left >= 0 && (best === undefined || left > best.left)) best = { node, left };
    }
    if (best) this.#put(best.node, kind.amounts);
    return best?.node;
  }

  /** The share of the node that is left of what becomes scarcest; below 0 where it does not fit. */
  #leftOn(name: string, amounts: Amounts): number {
    const { world } = this.#claims;
    const node = world.node(name);
    const has = (node && world.allocatableOn(node)) ?? new Map<string, number>();
    const load = this.#loadOn(name);
    const shares = [...amounts].flatMap(([resource, amount]) => {
      const total = has.get(resource);
      return total && amount > 0 ? [(total - (load.get(resource) ?? 0) - amount) / total] : [];
    });
    return Math.min(1, ...shares);
  }

  #loadOn(node: string): Amounts {
    return this.#loads.get(node) ?? this.#claims.world.loadOn(node);
  }

  #put(node: string, amounts: Amounts): void {
    this.#loads.set(node, plus(this.#loadOn(node), amounts));
  }
}
