import { expect, it } from 'vitest';
import { GOODPUT, wiringOf } from '../transfer/wiring.ts';
import type { Move } from './moves.ts';
import { playStarts } from './play.ts';

const nicMbps = 800 / GOODPUT;
const wiring = wiringOf(['a', 'b', 'c'].map((node) => ({ node, nicMbps })));

function start(vm: string, to: string, startSeconds: number, hotSetMB = 0, capMbps?: number) {
  const memory = { memoryMB: 1000, hotSetMB, hotSetSeconds: 1, coldDirtyMBps: 0 };
  const move: Move = { vm, from: 'a', to, memory, downtimeLimitSeconds: 0.3, capMbps };
  return { move, startSeconds };
}

it('tells how the moves go, in the order given', () => {
  const [x, y] = [start('x', 'b', 5), start('y', 'c', 0)];
  const played = playStarts(wiring, [x, y]);
  expect(played).toMatchObject([x, y]);
  expect(played.map(({ endSeconds }) => endSeconds)).toEqual([20, 15].map((at) => expect.closeTo(at, 6)));
});

it('lets one that ended make room before the next comes', () => {
  const played = playStarts(wiring, [start('x', 'b', 0), start('y', 'c', 10)]);
  expect(played.map(({ endSeconds }) => endSeconds)).toEqual([10, 20].map((at) => expect.closeTo(at, 6)));
});

it('keeps to caps', () => {
  expect(playStarts(wiring, [start('x', 'b', 0, 0, nicMbps / 2)])[0]?.endSeconds).toBeCloseTo(20, 6);
});

it('tells of those that never end', () => {
  const played = playStarts(wiring, [start('x', 'b', 0, 200), start('y', 'c', 0)]);
  expect(played.map(({ endSeconds }) => endSeconds)).toEqual([
    Number.POSITIVE_INFINITY,
    expect.closeTo(20, 6),
  ]);
});

it('plays nothing in no time', () => {
  expect(playStarts(wiring, [])).toEqual([]);
});
