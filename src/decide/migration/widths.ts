/** How wide migrations run and in how many rounds, by arithmetic alone. evacuation-and-migration §4.2 of the spec. */
import { tally } from '../../kubevirt/group-by.ts';
import type { MigrationSettings } from '../settings.ts';

export type Caps = Pick<
  MigrationSettings,
  'parallelMigrationsPerCluster' | 'parallelOutboundMigrationsPerNode'
>;

/** How many migrations wait on each source node. */
export type PendingByNode = ReadonlyMap<string, number>;

/** How many migrations leave each node. */
export function countByNode(sourceNodes: Iterable<string>): PendingByNode {
  return tally(sourceNodes);
}

/** How many run at once at the start: what the nodes together may send, at most what the cluster may run. Exact; nothing caps arrivals. */
export function widthAtStart(pending: PendingByNode, caps: Caps): number {
  return Math.min(
    Math.max(0, caps.parallelMigrationsPerCluster),
    [...pending.values()].reduce((sum, count) => sum + sendable(count, caps), 0),
  );
}

function sendable(count: number, caps: Caps): number {
  return Math.max(0, Math.min(count, caps.parallelOutboundMigrationsPerNode));
}

/**
 * In how many rounds at least they are all moved, if every move takes equally long.
 *
 * Promise: exact where the queue happens to serve the fullest node first; other orders can only take longer. Infinite
 * with a cap of zero, 0 with nothing to do.
 */
export function roundsAtLeast(pending: PendingByNode, caps: Caps): number {
  const counts = [...pending.values()].filter((count) => count > 0);
  if (counts.length === 0) return 0;
  if (widthAtStart(pending, caps) === 0) return Number.POSITIVE_INFINITY;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const fullest = Math.max(...counts);
  return Math.max(
    Math.ceil(total / caps.parallelMigrationsPerCluster),
    Math.ceil(fullest / caps.parallelOutboundMigrationsPerNode),
  );
}
