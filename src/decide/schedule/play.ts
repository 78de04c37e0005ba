/** Plays moves over the fluid network, each from a given second on: what a schedule comes to when bandwidth is shared as it is. */
import { beginCopy } from '../transfer/copy.ts';
import { addFlow, type FlowEnd, idleNetwork, nextEnd, passTo } from '../transfer/fluid-network.ts';
import type { Wiring } from '../transfer/wiring.ts';
import type { Move } from './moves.ts';

export interface StartOfMove {
  readonly move: Move;
  readonly startSeconds: number;
}

/** `endSeconds` is infinite for a move that never ends. */
export interface PlayedMove extends StartOfMove {
  readonly endSeconds: number;
}

/**
 * How the moves go, in the given order. VMs must be different. Nothing holds a move back but its start: widths are not
 * looked at.
 */
export function playStarts(wiring: Wiring, starts: readonly StartOfMove[]): PlayedMove[] {
  let network = idleNetwork(wiring);
  const ends = new Map<string, number>();
  const note = (ended: readonly FlowEnd[]) => {
    for (const { key, at } of ended) ends.set(key, at / 1000);
  };
  for (const { move, startSeconds } of [...starts].sort((a, b) => a.startSeconds - b.startSeconds)) {
    const at = startSeconds * 1000;
    const passed = passTo(network, at);
    note(passed.ended);
    const { vm: key, from, to, capMbps, memory, downtimeLimitSeconds } = move;
    network = addFlow(
      passed.network,
      { key, from, to, capMbps, copy: beginCopy(memory, downtimeLimitSeconds) },
      at,
    );
  }
  for (let end = nextEnd(network); end !== undefined; end = nextEnd(network)) {
    const passed = passTo(network, end.at);
    note(passed.ended);
    network = passed.network;
  }
  return starts.map((start) => ({
    ...start,
    endSeconds: ends.get(start.move.vm) ?? Number.POSITIVE_INFINITY,
  }));
}
