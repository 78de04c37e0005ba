/** What a move holds from its start to its end: a share of links and of widths, each with a capacity. */
import { type LinkKind, linkKey, linksBetween } from '../transfer/wiring.ts';
import type { MovesToSchedule, SoloMove, Widths } from './moves.ts';

export type ResourceKind = LinkKind | 'ClusterWidth' | 'OutboundWidth' | 'InboundWidth';

export interface Resource {
  readonly kind: ResourceKind;
  /** The node or rack; empty for the cluster. */
  readonly of: string;
  /** Mbit/s for links, moves for widths. */
  readonly capacity: number;
}

/** How much of the resource with that index a move holds. */
export interface Claim {
  readonly resource: number;
  readonly amount: number;
}

/** A move as the placing sees it. */
export interface Task {
  /** Whole ones, so that times add up exactly. */
  readonly milliseconds: number;
  readonly claims: readonly Claim[];
}

export interface Tasks {
  readonly resources: readonly Resource[];
  /** In the order of the moves. */
  readonly tasks: readonly Task[];
  /** So many of them, the first ones, have started already. */
  readonly started: number;
}

/** The moves with what they hold, those under way first, every resource that any of them needs listed once. */
export function tasksOf(input: MovesToSchedule, moves: readonly SoloMove[]): Tasks {
  const resources: Resource[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (key: string, resource: Resource): number => {
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, resources.length);
    return resources.push(resource) - 1;
  };
  const running = input.running ?? [];
  const tasks = [...running, ...moves].map((solo) => {
    const needed = [...linkNeeds(input, solo), ...widthNeeds(input.widths ?? {}, solo)];
    const claims = needed.map(({ key, amount, ...resource }) => ({
      resource: indexOf(key, resource),
      amount,
    }));
    return { milliseconds: reservedMilliseconds(solo), claims };
  });
  return { resources, tasks, started: running.length };
}

/**
 * A hair more than the move takes, up to whole milliseconds: two that follow one another to the instant would meet by a
 * rounding error, slow each other down by it, and pass the delay on.
 */
function reservedMilliseconds({ seconds }: SoloMove): number {
  return Math.ceil(seconds * 1000 + 0.1);
}

interface Need extends Resource {
  readonly key: string;
  readonly amount: number;
}

function linkNeeds({ wiring }: MovesToSchedule, { move, mbps }: SoloMove): Need[] {
  return linksBetween(wiring, move.from, move.to).map((link) => ({
    key: linkKey(link),
    kind: link.kind,
    of: link.of,
    capacity: link.mbps,
    amount: mbps,
  }));
}

function widthNeeds(widths: Widths, { move }: SoloMove): Need[] {
  const asked: readonly [ResourceKind, string, number | undefined][] = [
    ['ClusterWidth', '', widths.parallelMigrationsPerCluster],
    ['OutboundWidth', move.from, widths.parallelOutboundMigrationsPerNode],
    ['InboundWidth', move.to, widths.parallelInboundMigrationsPerNode],
  ];
  return asked.flatMap(([kind, of, capacity]) =>
    capacity === undefined ? [] : [{ key: `${kind} ${of}`, kind, of, capacity, amount: 1 }],
  );
}

/** Sums of shares may miss a capacity by rounding alone. */
export const ROUNDING = 1e-6;
