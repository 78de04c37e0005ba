/**
 * Copies that share a network, as a value: flows come and go, each runs at its fair rate, and the rates change only when
 * one comes, goes or is altered. In between everything is known ahead, so there is one event for each copy, its end.
 */
import type { Instant } from '../../kubevirt/time.ts';
import { advanceCopy, type MemoryCopy, secondsToEnd } from './copy.ts';
import { fairShares } from './fair-share.ts';
import { type Link, linkKey, linksBetween, payloadMBps, type Wiring } from './wiring.ts';

/** A copy between two nodes that is to start. */
export interface NewFlow {
  /** Unique among the flows at one time, such as the UID of a migration. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** `bandwidthPerMigration`. Undefined: as much as there is. */
  readonly capMbps?: number | undefined;
  readonly copy: MemoryCopy;
}

/** A copy under way. `copy` is how it stood at `asOf`, when its rate last changed; ask `copyAt` for now. */
export interface Flow extends NewFlow {
  /** Indexes into the network's links. */
  readonly links: readonly number[];
  readonly mbps: number;
  readonly asOf: Instant;
  /** If nothing changes. Infinite: it does not converge, or gets nothing. */
  readonly endsAt: Instant;
}

export interface FluidNetwork {
  readonly wiring: Wiring;
  readonly flows: ReadonlyMap<string, Flow>;
  /** The links that were ever used, in the order of their first use. */
  readonly links: UsedLinks;
}

interface UsedLinks {
  readonly indexes: ReadonlyMap<string, number>;
  readonly mbps: readonly number[];
}

export interface FlowEnd {
  readonly key: string;
  readonly at: Instant;
}

/** A network in which nothing is copied. */
export function idleNetwork(wiring: Wiring): FluidNetwork {
  return { wiring, flows: new Map(), links: { indexes: new Map(), mbps: [] } };
}

/**
 * The end that comes next, the smallest key of several at one instant. Undefined: no flow ever ends as things stand.
 */
export function nextEnd({ flows }: FluidNetwork): FlowEnd | undefined {
  let next: Flow | undefined;
  for (const flow of flows.values()) {
    if (flow.endsAt === Number.POSITIVE_INFINITY) continue;
    if (
      next === undefined ||
      flow.endsAt < next.endsAt ||
      (flow.endsAt === next.endsAt && flow.key < next.key)
    )
      next = flow;
  }
  return next && { key: next.key, at: next.endsAt };
}

/**
 * The network with one more flow, from now on. An end before now must have been taken out by `passTo`, and the key must be
 * new; anything else is a fault of the caller and throws.
 */
export function addFlow(network: FluidNetwork, flow: NewFlow, at: Instant): FluidNetwork {
  requireNoEndBefore(network, at);
  if (network.flows.has(flow.key)) throw new Error(`a flow ${flow.key} is under way already`);
  const over = linksBetween(network.wiring, flow.from, flow.to);
  const links = withLinks(network.links, over);
  const indexes = over.map((link) => links.indexes.get(linkKey(link)) ?? 0);
  const added: Flow = { ...flow, links: indexes, mbps: 0, asOf: at, endsAt: Number.POSITIVE_INFINITY };
  const flows = new Map(network.flows).set(flow.key, added);
  return shared({ ...network, links }, flows, indexes, at);
}

function withLinks(used: UsedLinks, links: readonly Link[]): UsedLinks {
  const missing = links.filter((link) => !used.indexes.has(linkKey(link)));
  if (missing.length === 0) return used;
  const first = used.mbps.length;
  const numbered = missing.map((link, index): [string, number] => [linkKey(link), first + index]);
  return {
    indexes: new Map([...used.indexes, ...numbered]),
    mbps: [...used.mbps, ...missing.map(({ mbps }) => mbps)],
  };
}

/** The network without a flow, ended or not: a canceled one is taken out like this. A flow that is not there changes nothing. */
export function removeFlow(network: FluidNetwork, key: string, at: Instant): FluidNetwork {
  const gone = network.flows.get(key);
  if (!gone) return network;
  requireNoEndBefore(network, at);
  const flows = new Map(network.flows);
  flows.delete(key);
  return shared(network, flows, gone.links, at);
}

/** What may change about a copy under way: how it stands (`endPreCopy`, a longer downtime, a throttled guest) and its cap. */
export type FlowChange = Partial<Pick<NewFlow, 'copy' | 'capMbps'>>;

/** The network with a flow altered. `change` gets the flow with its copy as of now. A flow that is not there changes nothing. */
export function alterFlow(
  network: FluidNetwork,
  key: string,
  at: Instant,
  change: (flow: Flow) => FlowChange,
): FluidNetwork {
  const flow = network.flows.get(key);
  if (!flow) return network;
  requireNoEndBefore(network, at);
  const current = asOf(flow, at);
  const flows = new Map(network.flows).set(key, foreseen({ ...current, ...change(current) }));
  return shared(network, flows, flow.links, at);
}

/** The network at an instant, and what ended on the way there, in order. What ended is no longer in it. */
export function passTo(
  network: FluidNetwork,
  at: Instant,
): { readonly network: FluidNetwork; readonly ended: readonly FlowEnd[] } {
  const ended: FlowEnd[] = [];
  let now = network;
  for (let end = nextEnd(now); end !== undefined && end.at <= at; end = nextEnd(now)) {
    ended.push(end);
    now = removeFlow(now, end.key, end.at);
  }
  return { network: now, ended };
}

/** How a flow stands at an instant not before its rate last changed. Undefined: there is no such flow. */
export function copyAt(network: FluidNetwork, key: string, at: Instant): MemoryCopy | undefined {
  const flow = network.flows.get(key);
  return flow && asOf(flow, at).copy;
}

function requireNoEndBefore(network: FluidNetwork, at: Instant): void {
  const end = nextEnd(network);
  if (end !== undefined && end.at < at) throw new Error(`flow ${end.key} ended before and is still there`);
}

function asOf(flow: Flow, at: Instant): Flow {
  // Past its own end a copy is done, whatever rounding says.
  const seconds = at >= flow.endsAt ? Number.POSITIVE_INFINITY : Math.max(0, at - flow.asOf) / 1000;
  return { ...flow, copy: advanceCopy(flow.copy, payloadMBps(flow.mbps), seconds), asOf: at };
}

function foreseen(flow: Flow): Flow {
  return { ...flow, endsAt: flow.asOf + secondsToEnd(flow.copy, payloadMBps(flow.mbps)) * 1000 };
}

/**
 * The network with these flows, which become its own, shared anew among those that some links lead to, over however many
 * others. The rest of the network is not affected.
 */
function shared(
  network: FluidNetwork,
  flows: Map<string, Flow>,
  links: readonly number[],
  at: Instant,
): FluidNetwork {
  const touched = connected(flows, links);
  const demands = touched.map(({ key, links: over, capMbps }) => ({
    key,
    links: over,
    limit: capMbps ?? Number.POSITIVE_INFINITY,
  }));
  const rates = fairShares(demands, network.links.mbps);
  for (const flow of touched) {
    const mbps = rates.get(flow.key) ?? 0;
    if (mbps !== flow.mbps) flows.set(flow.key, foreseen({ ...asOf(flow, at), mbps }));
  }
  return { ...network, flows };
}

/** The flows that the links lead to, over others' links too. */
function connected(flows: ReadonlyMap<string, Flow>, links: readonly number[]): Flow[] {
  const over: Flow[][] = [];
  for (const flow of flows.values()) {
    for (const link of flow.links) {
      const there = over[link];
      if (there) there.push(flow);
      else over[link] = [flow];
    }
  }
  const reached = new Set(links);
  const found = new Set<Flow>();
  // Walking through a set goes on to what is added meanwhile.
  for (const link of reached) {
    for (const flow of over[link] ?? []) {
      found.add(flow);
      for (const next of flow.links) reached.add(next);
    }
  }
  return [...found];
}
