import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Caps, countByNode, type PendingByNode, roundsAtLeast, widthAtStart } from './widths.ts';

const caps = (cluster: number, outbound: number): Caps => ({
  parallelMigrationsPerCluster: cluster,
  parallelOutboundMigrationsPerNode: outbound,
});
const pending = (...counts: number[]): PendingByNode =>
  new Map(counts.map((count, i) => [`n${i + 1}`, count]));

describe('twelve VMs, n1:6 n2:4 n3:2 (C16)', () => {
  const twelve = pending(6, 4, 2);

  it('caps 5 and 2: five at once, 180 s at least in rounds of 60 s', () => {
    expect(widthAtStart(twelve, caps(5, 2))).toBe(5);
    expect(roundsAtLeast(twelve, caps(5, 2)) * 60).toBe(180);
  });

  it('caps 5 and 1: three at once, 360 s, for n1 sends one at a time', () => {
    expect(widthAtStart(twelve, caps(5, 1))).toBe(3);
    expect(roundsAtLeast(twelve, caps(5, 1)) * 60).toBe(360);
  });
});

describe('widths and rounds', () => {
  it.each([
    ['nothing to do', pending(), caps(5, 2), 0, 0],
    ['nodes with nothing', pending(0, 0), caps(5, 2), 0, 0],
    ['one VM', pending(1), caps(5, 2), 1, 1],
    ['one node', pending(5), caps(5, 2), 2, 3],
    ['many nodes', pending(1, 1, 1, 1, 1, 1, 1), caps(5, 2), 5, 2],
    ['a cluster of one', pending(2, 2), caps(1, 2), 1, 4],
    ['no cap on the cluster', pending(4, 2), caps(1000, 2), 4, 2],
    ['nothing may run', pending(1), caps(0, 2), 0, Number.POSITIVE_INFINITY],
    ['nothing may leave', pending(1), caps(5, 0), 0, Number.POSITIVE_INFINITY],
    ['less than nothing may run', pending(1), caps(-1, 2), 0, Number.POSITIVE_INFINITY],
    ['less than nothing may leave', pending(1, 2), caps(5, -1), 0, Number.POSITIVE_INFINITY],
  ])('%s', (_, given, limits, width, rounds) => {
    expect(widthAtStart(given, limits)).toBe(width);
    expect(roundsAtLeast(given, limits)).toBe(rounds);
  });

  it('nothing to do takes no round, even where nothing may run', () => {
    expect(roundsAtLeast(pending(), caps(0, 0))).toBe(0);
  });

  it('counts by node', () => {
    expect(countByNode(['n1', 'n2', 'n1'])).toEqual(
      new Map([
        ['n1', 2],
        ['n2', 1],
      ]),
    );
    expect(countByNode([])).toEqual(new Map());
  });
});

/** The fewest rounds over every way to give all free places away. */
function tryAll(counts: readonly number[], limits: Caps, known = new Map<string, number>()): number {
  const left = counts.filter((count) => count > 0).sort();
  if (left.length === 0) return 0;
  const key = left.join();
  const found = known.get(key);
  if (found) return found;
  const rounds = 1 + Math.min(...choices(left, limits).map((next) => tryAll(next, limits, known)));
  known.set(key, rounds);
  return rounds;
}

function choices(counts: readonly number[], limits: Caps): number[][] {
  const width = widthAtStart(new Map(counts.map((count, i) => [`n${i}`, count])), limits);
  const from = (i: number, places: number): number[][] => {
    const count = counts[i];
    if (count === undefined) return places === 0 ? [[]] : [];
    const sendable = Math.min(count, limits.parallelOutboundMigrationsPerNode, places);
    return Array.from({ length: sendable + 1 }, (_, sent) =>
      from(i + 1, places - sent).map((rest) => [count - sent, ...rest]),
    ).flat();
  };
  return from(0, width);
}

it('no order of the queue does better, and some order does as well', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (counts, cluster, outbound) =>
        roundsAtLeast(pending(...counts), caps(cluster, outbound)) ===
        tryAll(counts, caps(cluster, outbound)),
    ),
    { numRuns: 300 },
  );
});
