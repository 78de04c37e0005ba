/** Plays a round in a given order. */
import type { Fate, Ground } from './ground.ts';
import { type NodeState, Standing } from './standing.ts';
import type { ChooseTargets } from './targets.ts';

export interface CourseMove {
  readonly vm: number;
  readonly to: number;
  /** What the target was at that time. */
  readonly state: NodeState;
}

export interface CourseStep {
  readonly node: number;
  readonly moves: readonly CourseMove[];
  /** VMs that would go and found no room. */
  readonly stuck: readonly number[];
  /** VMs that do not go at all. */
  readonly staying: readonly number[];
}

export interface Course {
  readonly steps: readonly CourseStep[];
  readonly stuck: number;
  readonly mostMoves: number;
  readonly totalMoves: number;
}

/** Drains the nodes one after another. What is left on a node is dealt with there by hand, and the node is given back. */
export function playOrder(ground: Ground, order: readonly number[], choose: ChooseTargets): Course {
  const standing = new Standing(ground);
  const rank = rankOf(ground, order);
  const steps = order.map((node) => drain(standing, node, choose, rank));
  return {
    steps,
    stuck: steps.reduce((sum, { stuck }) => sum + stuck.length, 0),
    mostMoves: standing.moves.reduce((most, moves) => Math.max(most, moves), 0),
    totalMoves: standing.moves.reduce((sum, moves) => sum + moves, 0),
  };
}

/** The turn of each node, by its number; −1 for one that is not in the order. */
export function rankOf({ nodes }: Ground, order: readonly number[]): number[] {
  const rank = nodes.map(() => -1);
  order.forEach((node, turn) => {
    rank[node] = turn;
  });
  return rank;
}

/** Drains one node: whoever goes is at its target afterwards. */
export function drain(
  standing: Standing,
  node: number,
  choose: ChooseTargets,
  rank: readonly number[],
): CourseStep {
  standing.states[node] = 'Drained';
  const going = withFate(standing, node, 'Goes');
  const targets = choose(standing, going, rank);
  const moves = going.flatMap((vm, index) => moveTo(standing, vm, targets[index]));
  for (const { vm, to } of moves) {
    standing.leave(node, vm);
    standing.come(to, vm);
    standing.moves[vm] = (standing.moves[vm] ?? 0) + 1;
  }
  for (const vm of withFate(standing, node, 'Leaves')) standing.leave(node, vm);
  const stuck = going.filter((_, index) => targets[index] === undefined);
  const staying = withFate(standing, node, 'Stays');
  standing.states[node] = 'Done';
  return { node, moves, stuck, staying };
}

function moveTo({ states }: Standing, vm: number, to: number | undefined): CourseMove[] {
  const state = to === undefined ? undefined : states[to];
  return to === undefined || state === undefined ? [] : [{ vm, to, state }];
}

function withFate(standing: Standing, node: number, fate: Fate): number[] {
  return standing.on(node).filter((vm) => standing.ground.vms[vm]?.vm.fate === fate);
}
