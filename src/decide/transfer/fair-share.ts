/**
 * Sharing links among flows, max-min fair: nobody can get more without someone who has no more than it getting less. So
 * TCP connections that compete for the same cables settle, roughly. Progressive filling (Bertsekas and Gallager, "Data
 * Networks", 6.5.2): all rates rise together; where a link is full, the flows over it stay as they are.
 */

export interface Demand {
  readonly key: string;
  readonly links: readonly string[];
  /** The most that it wants. Infinite: all it can get. */
  readonly limit: number;
}

/**
 * The fair rate of each flow, by key, in the unit of the capacities.
 *
 * Promise: no link carries more than its capacity, up to rounding; a flow gets nothing only where one of its links carries
 * nothing or its limit is zero; the order of the demands does not matter, not even to the last bit. A flow with neither
 * links nor a limit gets infinitely much.
 */
export function fairShares(
  demands: readonly Demand[],
  capacityOf: (link: string) => number,
): Map<string, number> {
  const rates = new Map<string, number>();
  let rising = [...demands].sort((a, b) => (a.key < b.key ? -1 : 1));
  const links = crossedLinks(rising, capacityOf);
  while (rising.length > 0) {
    const level = nextLevel(rising, links);
    const isSettled = ({ limit, links: over }: Demand) =>
      limit <= level || over.some((link) => levelOf(links.get(link)) <= level);
    // All of a level are picked before any of them is taken off its links: taking one off moves the others' level.
    const settled = new Set(rising.filter(isSettled));
    rising = rising.filter((demand) => !settled.has(demand));
    for (const demand of settled) settle(demand, Math.min(demand.limit, level), links, rates);
  }
  return rates;
}

/** A link with what is left of it for the flows whose rate still rises. */
interface SharedLink {
  left: number;
  rising: number;
}

function crossedLinks(demands: readonly Demand[], capacityOf: (link: string) => number) {
  const links = new Map<string, SharedLink>();
  for (const name of demands.flatMap((demand) => demand.links)) {
    const link = links.get(name);
    if (link) link.rising += 1;
    else links.set(name, { left: Math.max(0, capacityOf(name)), rising: 1 });
  }
  return links;
}

/** Where the rising flows fill the link, if nothing else stops them. */
function levelOf(link: SharedLink | undefined): number {
  return link && link.rising > 0 ? Math.max(0, link.left) / link.rising : Number.POSITIVE_INFINITY;
}

/** How far all rates rise until the next flow stops: at its limit, or on a link that is full. */
function nextLevel(rising: readonly Demand[], links: ReadonlyMap<string, SharedLink>): number {
  let level = Number.POSITIVE_INFINITY;
  for (const { limit } of rising) level = Math.min(level, limit);
  for (const link of links.values()) level = Math.min(level, levelOf(link));
  return level;
}

function settle(demand: Demand, rate: number, links: Map<string, SharedLink>, rates: Map<string, number>) {
  rates.set(demand.key, rate);
  for (const name of demand.links) {
    const link = links.get(name);
    if (!link) continue;
    link.left -= rate;
    link.rising -= 1;
  }
}
