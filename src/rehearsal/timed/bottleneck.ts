import type { Settings } from '../../decide/settings.ts';
import type { Bottleneck } from '../../forecast/forecast.ts';
import { compareText } from '../../kubevirt/order.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { counted } from '../../kubevirt/words.ts';
import type { VmResult } from '../result.ts';

/** A move holds its place for so long before its copy begins: until the target pod is up, and prepared. */
const BEFORE_COPY_SECONDS = 2;

/**
 * What holds VMs up most: of all limits, the one that by itself takes longest.
 *
 * Promise: undefined where nothing moves or restarts. Of equals the first of cluster, nodes by name, batches, the longest move.
 */
export function bottleneckOf(
  vms: readonly VmResult[],
  settings: Settings,
  isBatched: boolean,
): Bottleneck | undefined {
  const moves = vms.flatMap(({ moves: all }) =>
    all.flatMap(({ from, startSeconds, endSeconds, failed }) =>
      endSeconds === undefined || failed !== undefined
        ? []
        : [{ from, seconds: endSeconds - Math.max(0, startSeconds - BEFORE_COPY_SECONDS) }],
    ),
  );
  const { parallelMigrationsPerCluster: cluster, parallelOutboundMigrationsPerNode: outbound } =
    settings.migrations;
  const sum = (some: readonly { readonly seconds: number }[]): number =>
    some.reduce((all, one) => all + one.seconds, 0);
  const nodes = [...new Set(moves.map(({ from }) => from))].sort(compareText);
  const limits: Bottleneck[] = [
    limit(
      'ClusterCap',
      sum(moves) / cluster,
      `${counted(moves.length, 'move')}, ${cluster} at once in the cluster`,
    ),
    ...nodes.map((node) => {
      const own = moves.filter(({ from }) => from === node);
      return limit(
        'OutboundSlots',
        sum(own) / outbound,
        `${counted(own.length, 'move')} out of ${node}, ${outbound} at once`,
      );
    }),
    ...(isBatched ? batches(vms, settings) : []),
    limit('LongestMove', Math.max(0, ...moves.map(({ seconds }) => seconds)), 'the longest move'),
  ];
  return limits.reduce<Bottleneck | undefined>(
    (worst, one) => (one.seconds > (worst?.seconds ?? 0) ? one : worst),
    undefined,
  );
}

function batches(vms: readonly VmResult[], settings: Settings): Bottleneck[] {
  const { batchEvictionSize: size, batchEvictionIntervalSeconds: interval } = settings;
  // Whoever refuses takes a place of a batch, too.
  const evicted = vms.filter(({ outages, refusals }) => outages.length > 0 || refusals.length > 0).length;
  if (evicted === 0 || size <= 0) return [];
  const seconds = (Math.ceil(evicted / size) - 1) * interval;
  return [
    limit(
      'BatchInterval',
      seconds,
      `${counted(evicted, 'eviction')}, ${size} in a batch, a batch every ${interval} s`,
    ),
  ];
}

function limit(reason: string, seconds: number, what: string): Bottleneck {
  const rounded = Math.round(seconds);
  return { reason, seconds: rounded, message: `${what}: at least ${formatDuration(rounded)}` };
}
