import { describe, expect, it } from 'vitest';
import { wiringOf } from '../transfer/wiring.ts';
import { type MoveSchedule, scheduleMoves } from './schedule.ts';
import { CARD, draws, move, nodes, schedule, whyOf, wiring } from './test-schedule.ts';

const startsOf = ({ moves }: MoveSchedule) =>
  Object.fromEntries(moves.map(({ move: { vm }, startSeconds }) => [vm, startSeconds]));

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
