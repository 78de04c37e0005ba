import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GOODPUT, wiringOf } from '../transfer/wiring.ts';
import type { Move, MovesToSchedule, Widths } from './moves.ts';
import { playStarts } from './play.ts';
import { type MoveSchedule, scheduleMoves } from './schedule.ts';

/** Cards of 100 MB/s of memory: 1,000 MB take ten seconds. */
const CARD = 800 / GOODPUT;
const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((node, index) => ({
  node,
  nicMbps: node === 'f' ? CARD / 2 : CARD,
  rack: index < 3 ? 'r1' : 'r2',
}));
const wiring = wiringOf(nodes);

function move(vm: string, from: string, to: string, memoryMB = 1000, other: Partial<Move> = {}): Move {
  const memory = { memoryMB, hotSetMB: 0, hotSetSeconds: 0, coldDirtyMBps: 0 };
  return { vm, from, to, memory, downtimeLimitSeconds: 0.3, ...other };
}

/** A draw that runs through the numbers from 0 to 1. */
function draws(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function schedule(moves: readonly Move[], other: Partial<MovesToSchedule> = {}): MoveSchedule {
  return scheduleMoves({ moves, wiring, ...other }, draws(), 500);
}

const startsOf = ({ moves }: MoveSchedule) =>
  Object.fromEntries(moves.map(({ move: { vm }, startSeconds }) => [vm, startSeconds]));
const whyOf = ({ moves }: MoveSchedule, vm: string) => moves.find((scheduled) => scheduled.move.vm === vm);

describe('a schedule', () => {
  it('of nothing is empty', () => {
    expect(schedule([])).toEqual({
      moves: [],
      unschedulable: [],
      makespanSeconds: 0,
      bound: { milliseconds: 0, reason: 'LongestMove' },
    });
  });

  it('starts at once what meets nowhere', () => {
    const apart = schedule([move('x', 'a', 'b'), move('y', 'b', 'c'), move('z', 'c', 'a')]);
    expect(startsOf(apart)).toEqual({ x: 0, y: 0, z: 0 });
    expect(apart.makespanSeconds).toBe(10);
    expect(apart.bound).toEqual({ milliseconds: 10_000, reason: 'LongestMove' });
    expect(whyOf(apart, 'y')).toEqual({
      move: move('y', 'b', 'c'),
      startSeconds: 0,
      endSeconds: 10,
      mbps: CARD,
      reason: 'StartsAtOnce',
      message: 'starts at once: all that it needs is free',
      evidence: [{ object: 'VirtualMachineInstance y', path: 'mbps', value: CARD }],
    });
  });

  it('puts one after another what shares a card, and says so', () => {
    const queued = schedule([move('x', 'a', 'b', 2000), move('y', 'a', 'c')]);
    expect(startsOf(queued)).toEqual({ x: 0, y: 20.001 });
    expect(queued.bound).toEqual({
      milliseconds: 30_000,
      reason: 'FullResource',
      resource: { kind: 'NodeOut', of: 'a', capacity: CARD },
    });
    expect(whyOf(queued, 'y')).toMatchObject({
      reason: 'WaitsForSourceLink',
      message: 'waits for the outbound link of node a until 20.0 s, when x left it',
      evidence: [
        { object: 'the outbound link of node a', path: 'capacity', value: CARD },
        { object: 'the outbound link of node a', path: 'leftBy', value: ['x'] },
        { object: 'VirtualMachineInstance y', path: 'mbps', value: CARD },
      ],
    });
  });

  it('lets a narrow move share a broad card', () => {
    const narrow = schedule([
      move('x', 'a', 'f'),
      move('y', 'a', 'b', 500, { capMbps: CARD / 4 }),
      move('z', 'a', 'c', 500, { capMbps: CARD / 4 }),
    ]);
    expect(startsOf(narrow)).toEqual({ x: 0, y: 0, z: 0 });
    expect(narrow.moves.map(({ mbps }) => mbps / CARD)).toEqual([0.5, 0.25, 0.25]);
  });

  it('waits with a long move for what makes room for all', () => {
    // Longest first alone would need 30 s: x and y at once, z after both.
    const moves = [
      move('x', 'a', 'b', 1100),
      move('y', 'c', 'd', 1000),
      move('z', 'a', 'd', 900),
      move('w', 'c', 'b', 900),
    ];
    const best = schedule(moves);
    expect(best.makespanSeconds).toBeCloseTo(20, 1);
    expect(best.makespanSeconds * 1000).toBeCloseTo(best.bound.milliseconds + 1, 6);
  });

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

  it('leaves out what never ends or never may run', () => {
    const hot = { memoryMB: 1000, hotSetMB: 300, hotSetSeconds: 2, coldDirtyMBps: 1 };
    const frantic = schedule([move('x', 'a', 'b', 0, { memory: hot }), move('y', 'a', 'b')]);
    expect(startsOf(frantic)).toEqual({ y: 0 });
    expect(frantic.unschedulable).toEqual([
      {
        move: move('x', 'a', 'b', 0, { memory: hot }),
        reason: 'DoesNotConverge',
        message: `writes to its memory faster than ${CARD} Mbit/s carry it: pre-copy does not end`,
        evidence: [
          { object: 'VirtualMachineInstance x', path: 'mbps', value: CARD },
          { object: 'VirtualMachineInstance x', path: 'memory.hotSetMB', value: 300 },
          { object: 'VirtualMachineInstance x', path: 'memory.hotSetSeconds', value: 2 },
          { object: 'VirtualMachineInstance x', path: 'memory.coldDirtyMBps', value: 1 },
        ],
      },
    ]);
    const stopped = schedule([move('y', 'a', 'b')], { widths: { parallelOutboundMigrationsPerNode: 0 } });
    expect(stopped.makespanSeconds).toBe(0);
    expect(stopped.unschedulable).toEqual([
      {
        move: move('y', 'a', 'b'),
        reason: 'NoWidth',
        message: 'the outbound width of node a allows 0',
        evidence: [{ object: 'the outbound width of node a', path: 'capacity', value: 0 }],
      },
    ]);
  });

  it('leaves what is under way in peace', () => {
    const running = [{ move: move('old', 'a', 'b'), mbps: CARD / 2, seconds: 7.5 }];
    const later = schedule([move('x', 'a', 'c'), move('y', 'a', 'f')], { running });
    expect(startsOf(later)).toEqual({ y: 0, x: 20.001 });
    expect(later.makespanSeconds).toBeCloseTo(30.001, 9);
    const [half] = schedule([move('x', 'a', 'c')], { running }).moves;
    expect(half).toMatchObject({
      startSeconds: 7.501,
      reason: 'WaitsForSourceLink',
      message: 'waits for the outbound link of node a until 7.5 s, when old left it',
    });
    expect(schedule([], { running })).toEqual({
      moves: [],
      unschedulable: [],
      makespanSeconds: 7.5,
      bound: { milliseconds: 7500, reason: 'LongestMove' },
    });
  });

  it('goes on until the bound is met to the millisecond', () => {
    // Longest first on three lanes ends at 14 ms.
    const pairs = ['ab', 'bc', 'ca', 'de', 'ed', 'ac', 'cb'];
    const moves = [5, 5, 4, 4, 3, 3, 3].map((length, index) => {
      const [from = '', to = ''] = pairs[index] ?? '';
      return move(`m${index}`, from, to, length / 10, { capMbps: CARD });
    });
    const free = wiringOf(nodes.map(({ node }) => ({ node, nicMbps: 100 * CARD })));
    const best = schedule(moves, { wiring: free, widths: { parallelMigrationsPerCluster: 3 } });
    expect(best.makespanSeconds).toBeLessThanOrEqual(0.012);
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

  it('counts what is under way for the widths', () => {
    const running = [{ move: move('old', 'd', 'e'), mbps: 1, seconds: 30 }];
    const widths = { parallelMigrationsPerCluster: 1 };
    const later = schedule([move('x', 'a', 'b')], { running, widths });
    expect(later.moves[0]).toMatchObject({ startSeconds: 30.001, reason: 'WaitsForClusterWidth' });
    expect(later.bound).toMatchObject({ milliseconds: 40_000, reason: 'FullResource' });
  });

  it('is the same for the same draws', () => {
    const moves = Array.from({ length: 12 }, (_, index) =>
      move(`vm${index}`, 'abcdef'[index % 6] ?? '', 'bcadfe'[index % 5] ?? '', 300 + 77 * index),
    );
    expect(schedule(moves)).toEqual(schedule(moves));
  });

  it('tries as much as is usual unless told otherwise', () => {
    const moves = [move('x', 'a', 'b'), move('y', 'a', 'c')];
    expect(scheduleMoves({ moves, wiring }, draws()).makespanSeconds).toBeCloseTo(20.001, 9);
  });
});

describe('any schedule', () => {
  const inputs = fc.record({
    list: fc.array(
      fc.record({
        from: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        to: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        memoryMB: fc.integer({ min: 1, max: 4000 }),
        hotSetMB: fc.integer({ min: 0, max: 40 }),
        capMbps: fc.constantFrom(undefined, CARD / 2, CARD / 3),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    cluster: fc.constantFrom(undefined, 1, 3),
    outbound: fc.constantFrom(undefined, 1, 2),
    inbound: fc.constantFrom(undefined, 1, 2),
    rackUplinkMbps: fc.constantFrom(undefined, CARD, 1.5 * CARD),
  });

  function played({
    list,
    cluster,
    outbound,
    inbound,
    rackUplinkMbps,
  }: typeof inputs extends fc.Arbitrary<infer T> ? T : never) {
    const moves = list.map(({ from, to, memoryMB, hotSetMB, capMbps }, index) =>
      move(`m${index}`, from, to, memoryMB, {
        capMbps,
        memory: { memoryMB, hotSetMB, hotSetSeconds: 2, coldDirtyMBps: 0.1 },
      }),
    );
    const widths = {
      parallelMigrationsPerCluster: cluster,
      parallelOutboundMigrationsPerNode: outbound,
      parallelInboundMigrationsPerNode: inbound,
    };
    const input = { moves, wiring: wiringOf(nodes, rackUplinkMbps), widths };
    return { input, result: scheduleMoves(input, draws(), 40) };
  }

  it('schedules every move, and no link or width is ever over its capacity', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { input, result } = played(given);
        expect(result.moves.map(({ move: { vm } }) => vm).sort()).toEqual(
          input.moves.map(({ vm }) => vm).sort(),
        );
        for (const { startSeconds: at } of result.moves) {
          const running = result.moves.filter((other) => other.startSeconds <= at && at < other.endSeconds);
          const sum = (those: MoveSchedule['moves']) => those.reduce((total, { mbps }) => total + mbps, 0);
          expect(running.length).toBeLessThanOrEqual(given.cluster ?? 99);
          for (const { node, nicMbps, rack } of nodes) {
            const out = running.filter(({ move: { from } }) => from === node);
            const into = running.filter(({ move: { to } }) => to === node);
            expect(sum(out)).toBeLessThanOrEqual(nicMbps + 1e-3);
            expect(sum(into)).toBeLessThanOrEqual(nicMbps + 1e-3);
            expect(out.length).toBeLessThanOrEqual(given.outbound ?? 99);
            expect(into.length).toBeLessThanOrEqual(given.inbound ?? 99);
            const rackOf = (name: string) => nodes.find((other) => other.node === name)?.rack;
            const leaving = running.filter(
              ({ move: { from, to } }) => rackOf(from) === rack && rackOf(to) !== rack,
            );
            expect(sum(leaving)).toBeLessThanOrEqual((given.rackUplinkMbps ?? 1e9) + 1e-3);
          }
        }
      }),
    );
  });

  it('keeps every move as fast as alone, in the network that shares', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { input, result } = played(given);
        const ends = playStarts(input.wiring, result.moves).map(({ endSeconds }) => endSeconds);
        result.moves.forEach(({ endSeconds }, index) => {
          expect(ends[index]).toBeCloseTo(endSeconds, 6);
        });
        expect(Math.max(...ends)).toBeCloseTo(result.makespanSeconds, 6);
      }),
    );
  });

  it('is no shorter than its bound, and gives every waiting move an obstacle', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { result } = played(given);
        expect(result.makespanSeconds * 1000).toBeGreaterThanOrEqual(result.bound.milliseconds - 1e-6);
        for (const { startSeconds, reason, message } of result.moves) {
          expect(reason === 'StartsAtOnce').toBe(startSeconds === 0);
          expect(message.includes('left it')).toBe(startSeconds > 0);
        }
      }),
    );
  });
});
