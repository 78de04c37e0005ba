/** Moves between the nodes a to f in two racks. */
import { GOODPUT, wiringOf } from '../transfer/wiring.ts';
import type { Move, MovesToSchedule } from './moves.ts';
import { type MoveSchedule, scheduleMoves } from './schedule.ts';

/** Cards of 100 MB/s of memory: 1,000 MB take ten seconds. */
export const CARD = 800 / GOODPUT;

export const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((node, index) => ({
  node,
  nicMbps: node === 'f' ? CARD / 2 : CARD,
  rack: index < 3 ? 'r1' : 'r2',
}));

export const wiring = wiringOf(nodes);

export function move(vm: string, from: string, to: string, memoryMB = 1000, other: Partial<Move> = {}): Move {
  const memory = { memoryMB, hotSetMB: 0, hotSetSeconds: 0, coldDirtyMBps: 0 };
  return { vm, from, to, memory, downtimeLimitSeconds: 0.3, ...other };
}

/** A draw that runs through the numbers from 0 to 1. */
export function draws(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export function schedule(moves: readonly Move[], other: Partial<MovesToSchedule> = {}): MoveSchedule {
  return scheduleMoves({ moves, wiring, ...other }, draws(), 500);
}

export const whyOf = ({ moves }: MoveSchedule, vm: string) =>
  moves.find((scheduled) => scheduled.move.vm === vm);
