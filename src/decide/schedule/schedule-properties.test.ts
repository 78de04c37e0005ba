import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wiringOf } from '../transfer/wiring.ts';
import { playStarts } from './play.ts';
import { type MoveSchedule, scheduleMoves } from './schedule.ts';
import { CARD, draws, move, nodes } from './test-schedule.ts';

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
