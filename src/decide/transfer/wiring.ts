/** What moves share: the network cards of the nodes, and the uplinks of the racks. Speeds as they are printed on the box, in Mbit/s. */

export interface NetworkNode {
  readonly node: string;
  /** Full duplex: so much goes out and, at the same time, in. */
  readonly nicMbps: number;
  /** Nodes without a rack are all in the same one. */
  readonly rack?: string | undefined;
}

export interface Wiring {
  readonly nodes: ReadonlyMap<string, NetworkNode>;
  /** Of each rack, up and down alike. Undefined: they are never full. */
  readonly rackUplinkMbps?: number | undefined;
}

export type LinkKind = 'NodeOut' | 'NodeIn' | 'RackUp' | 'RackDown';

/** One direction of one cable. */
export interface Link {
  readonly kind: LinkKind;
  /** The node's or the rack's name. */
  readonly of: string;
  readonly mbps: number;
}

/** The cables between nodes; of nodes of one name the last counts. `rackUplinkMbps` absent: racks are no bottleneck. */
export function wiringOf(nodes: readonly NetworkNode[], rackUplinkMbps?: number | undefined): Wiring {
  return { nodes: new Map(nodes.map((node) => [node.node, node])), rackUplinkMbps };
}

/**
 * Which part of a printed speed becomes memory at the target. Ethernet, IP and TCP headers leave 0.94 of it at the usual
 * 1,500 bytes a frame; the published moves of mVM are all met from 0.918 to 0.936 (docs/concepts/transfer.md).
 */
export const GOODPUT = 0.93;

/** Megabytes of memory a second that arrive over so many Mbit/s. */
export function payloadMBps(mbps: number): number {
  return (mbps * GOODPUT) / 8;
}

/**
 * The links that a move between two nodes takes. Racks count where they differ and uplinks have a speed. A move from a
 * node to itself takes the card's two directions. A node that is not in the wiring is a fault of the caller and throws.
 */
export function linksBetween(wiring: Wiring, from: string, to: string): Link[] {
  const [source, target] = [nodeOf(wiring, from), nodeOf(wiring, to)];
  const links: Link[] = [
    { kind: 'NodeOut', of: from, mbps: source.nicMbps },
    { kind: 'NodeIn', of: to, mbps: target.nicMbps },
  ];
  const mbps = wiring.rackUplinkMbps;
  if (mbps === undefined || rackOf(source) === rackOf(target)) return links;
  const uplinks: Link[] = [
    { kind: 'RackUp', of: rackOf(source), mbps },
    { kind: 'RackDown', of: rackOf(target), mbps },
  ];
  return [...links, ...uplinks];
}

function nodeOf(wiring: Wiring, name: string): NetworkNode {
  const node = wiring.nodes.get(name);
  if (node === undefined) throw new Error(`the wiring has no node ${name}`);
  return node;
}

function rackOf({ rack }: NetworkNode): string {
  return rack ?? '';
}

/** A link's name, unique within a wiring. */
export function linkKey({ kind, of }: Link): string {
  return `${kind} ${of}`;
}

/** What one move gets with nobody else about: its narrowest link, or its own cap. */
export function soloMbps(wiring: Wiring, from: string, to: string, capMbps?: number | undefined): number {
  const links = linksBetween(wiring, from, to);
  return Math.min(...links.map(({ mbps }) => mbps), capMbps ?? Number.POSITIVE_INFINITY);
}
