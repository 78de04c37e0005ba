import { describe, expect, it } from 'vitest';
import { wiringOf } from '../transfer/wiring.ts';
import type { Move, Widths } from './moves.ts';
import { CARD, move, nodes, schedule, whyOf } from './test-schedule.ts';

describe('what a move waits for', () => {
  it.each<[string, Widths | undefined, number | undefined, Move[], string, string]>([
    [
      'the card of the target',
      undefined,
      undefined,
      [move('x', 'a', 'c', 2000), move('y', 'b', 'c')],
      'WaitsForTargetLink',
      'waits for the inbound link of node c until 20.0 s, when x left it',
    ],
    [
      'the uplink of the source',
      undefined,
      CARD,
      [move('x', 'a', 'd', 2000), move('z', 'd', 'e', 10), move('y', 'b', 'f', 1000, { capMbps: CARD / 2 })],
      'WaitsForRackUplink',
      'waits for the uplink of rack r1 until 20.0 s, when x left it',
    ],
    [
      'the width of the cluster',
      { parallelMigrationsPerCluster: 1 },
      undefined,
      [move('x', 'a', 'b', 2000), move('y', 'c', 'd')],
      'WaitsForClusterWidth',
      'waits for parallelMigrationsPerCluster until 20.0 s, when x left it',
    ],
    [
      'the width out of the node',
      { parallelOutboundMigrationsPerNode: 1 },
      undefined,
      [move('x', 'a', 'f', 2000), move('y', 'a', 'b', 500, { capMbps: CARD / 2 })],
      'WaitsForOutboundWidth',
      'waits for the outbound width of node a until 40.0 s, when x left it',
    ],
    [
      'the width into the node',
      { parallelInboundMigrationsPerNode: 1 },
      undefined,
      [move('x', 'f', 'a', 2000), move('y', 'b', 'a', 500, { capMbps: CARD / 2 })],
      'WaitsForInboundWidth',
      'waits for the inbound width of node a until 40.0 s, when x left it',
    ],
  ])('names %s where that is in the way', (_, widths, rackUplinkMbps, moves, reason, message) => {
    const queued = schedule(moves, { widths, wiring: wiringOf(nodes, rackUplinkMbps) });
    expect(whyOf(queued, 'x')?.reason).toBe('StartsAtOnce');
    expect(whyOf(queued, 'y')).toMatchObject({ reason, message });
  });

  it('names the downlink of a rack that two racks send to', () => {
    const three = wiringOf(
      ['a', 'b', 'c', 'd'].map((node) => ({ node, nicMbps: CARD, rack: node < 'c' ? node : 'target' })),
      CARD,
    );
    const queued = schedule([move('x', 'a', 'c', 2000), move('y', 'b', 'd')], { wiring: three });
    expect(whyOf(queued, 'y')).toMatchObject({
      reason: 'WaitsForRackDownlink',
      message: 'waits for the downlink of rack target until 20.0 s, when x left it',
    });
    expect(queued.bound.resource).toEqual({ kind: 'RackDown', of: 'target', capacity: CARD });
  });

  it('names the busiest of several obstacles, and counts those that leave together', () => {
    const busy = schedule([
      move('x', 'a', 'b'),
      move('y', 'c', 'd'),
      move('z', 'a', 'd', 900),
      move('w', 'e', 'd', 800),
    ]);
    expect(whyOf(busy, 'z')?.message).toBe(
      'waits for the inbound link of node d until 10.0 s, when y left it',
    );
    const even = schedule([move('x', 'a', 'b'), move('y', 'c', 'd'), move('z', 'a', 'd', 900)]);
    expect(whyOf(even, 'z')?.message).toBe(
      'waits for the outbound link of node a until 10.0 s, when x left it',
    );
    const pair = schedule([move('x', 'a', 'b'), move('y', 'c', 'd'), move('z', 'e', 'a', 900)], {
      widths: { parallelMigrationsPerCluster: 2 },
    });
    expect(whyOf(pair, 'z')?.message).toBe(
      'waits for parallelMigrationsPerCluster until 10.0 s, when x and 1 more left it',
    );
  });

  it('tells of a lack of width on the node of the move, not of one under way', () => {
    const running = [{ move: move('old', 'd', 'e'), mbps: 1, seconds: 30 }];
    const none = schedule([move('x', 'a', 'b')], {
      running,
      widths: { parallelOutboundMigrationsPerNode: 0 },
    });
    expect(none.unschedulable[0]?.message).toBe('the outbound width of node a allows 0');
    expect(none.makespanSeconds).toBe(30);
  });
});
