/**
 * Sharing links among flows, max-min fair: nobody can get more without someone who has no more than it getting less. So
 * TCP connections that compete for the same cables settle, roughly. Progressive filling (Bertsekas and Gallager, "Data
 * Networks", 6.5.2): all rates rise together; where a link is full, the flows over it stay as they are.
 */
import { compareText } from '../../kubevirt/order.ts';

export interface Demand {
  readonly key: string;
  /** Indexes of the links that it takes, each once. */
  readonly links: readonly number[];
  /** The most that it wants. Infinite: all it can get. */
  readonly limit: number;
}

/**
 * The fair rate of each flow, by key, in the unit of the capacities, which are those of the links by index.
 *
 * Promise: no link carries more than its capacity, up to rounding; a flow gets nothing only where one of its links carries
 * nothing or its limit is zero; the order of the demands does not matter, not even to the last bit. A link that has no
 * capacity given carries nothing. A flow with neither links nor a limit gets infinitely much.
 */
export function fairShares(demands: readonly Demand[], capacities: readonly number[]): Map<string, number> {
  const links: SharedLink[] = [];
  const flows = risingFlows(demands, capacities, links);
  for (const flow of [...flows].sort((a, b) => a.limit - b.limit || 0)) {
    while (flow.rate === undefined) raise(flow, nextFull(links));
  }
  return new Map(flows.map(({ key, rate }) => [key, rate ?? 0]));
}

/** A flow whose rate rises until it has one. */
interface RisingFlow {
  readonly key: string;
  readonly limit: number;
  readonly links: readonly SharedLink[];
  rate: number | undefined;
}

/** A link with what is left of it for the flows whose rate still rises. */
interface SharedLink {
  left: number;
  rising: number;
  readonly flows: RisingFlow[];
}

/** In the order of their keys, the links in the order in which those come to them. */
function risingFlows(
  demands: readonly Demand[],
  capacities: readonly number[],
  links: SharedLink[],
): RisingFlow[] {
  const known: SharedLink[] = [];
  const linkOf = (index: number): SharedLink => {
    const link = known[index] ?? { left: Math.max(0, capacities[index] ?? 0), rising: 0, flows: [] };
    if (known[index] === undefined) links.push(link);
    known[index] = link;
    return link;
  };
  const byKey = [...demands].sort((a, b) => compareText(a.key, b.key));
  return byKey.map(({ key, limit, links: over }) => {
    const flow: RisingFlow = { key, limit, links: over.map(linkOf), rate: undefined };
    for (const link of flow.links) {
      link.rising += 1;
      link.flows.push(flow);
    }
    return flow;
  });
}

/** Raises all rates until the flow with the least limit has what it wants or, before that, a link is full. */
function raise(flow: RisingFlow, fullest: SharedLink | undefined): void {
  const level = fullest ? levelOf(fullest) : Number.POSITIVE_INFINITY;
  const stopped =
    flow.limit <= level ? [flow] : (fullest?.flows ?? []).filter(({ rate }) => rate === undefined);
  for (const each of stopped) settle(each, Math.min(flow.limit, level));
}

/** Where the rising flows fill the link, if nothing else stops them. */
function levelOf({ left, rising }: SharedLink): number {
  return Math.max(0, left) / rising;
}

/** The link that is full first when all rates rise. Those where none rises any more drop out. */
function nextFull(links: SharedLink[]): SharedLink | undefined {
  let fullest: SharedLink | undefined;
  let kept = 0;
  for (const link of links) {
    if (link.rising === 0) continue;
    links[kept] = link;
    kept += 1;
    if (fullest === undefined || levelOf(link) < levelOf(fullest)) fullest = link;
  }
  links.length = kept;
  return fullest;
}

function settle(flow: RisingFlow, rate: number): void {
  flow.rate = rate;
  for (const link of flow.links) {
    link.left -= rate;
    link.rising -= 1;
  }
}
