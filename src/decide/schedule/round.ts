/**
 * A maintenance round: every node that is due is drained, boots anew and is given back, one after another. In which order, and
 * where do the VMs go, so that none of them moves often? A VM moves once where it goes to a node that is done or not part of
 * the round, and again where that node is still due.
 */
import { decide, type Evidence } from '../rules.ts';
import { type MovesBound, movesBound } from './round/bound.ts';
import { type Course, type CourseStep, playOrder } from './round/course.ts';
import { type Ground, groundOf, type RoundInput } from './round/ground.ts';
import { targetTable, turnTable } from './round/reasons.ts';
import { searchCourse } from './round/search.ts';
import { leastAllocated } from './round/targets.ts';

export type { RoundInput, RoundNode, RoundVm } from './round/ground.ts';

interface Reasoned {
  /** Stable CamelCase. */
  readonly reason: string;
  /** A clause that goes on from the name of the node or VM. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

export interface RoundMove extends Reasoned {
  /** `namespace/name` */
  readonly vm: string;
  readonly from: string;
  readonly to: string;
}

/** One node's turn. */
export interface RoundStep extends Reasoned {
  readonly node: string;
  /** By key of the VM. */
  readonly moves: readonly RoundMove[];
  /** Nodes that are still due and that must be open for VMs all the same while this one is drained, by name. */
  readonly opens: readonly string[];
  /** VMs that would go and find no room. */
  readonly stuck: readonly string[];
}

export interface RoundCount {
  /** The most moves of any VM. */
  readonly mostMoves: number;
  readonly totalMoves: number;
  /** VMs that find no room at some turn. */
  readonly stuck: number;
}

export interface Round extends RoundCount {
  readonly steps: readonly RoundStep[];
  readonly bound: MovesBound;
}

/**
 * A round with few moves.
 *
 * Promise: no node is given more than it has room for; VMs that must be apart are; what stays on a node,
 * or finds no room, is taken to be dealt with there by hand, and the node is given back with it; nodes where any stay come last; fewest VMs without a place first, then the fewest moves of any VM, then the fewest in all, as
 * far as a bounded search finds them: compare with `bound`. The same input gives the same round.
 */
export function orderRound(input: RoundInput): Round {
  const ground = groundOf(input);
  const course = searchCourse(ground);
  const steps = course.steps.map((step) => explainStep(ground, step));
  return { steps, bound: movesBound(ground), ...countOf(course) };
}

/** What comes of the order as it was given while kube-scheduler chooses the emptiest of all other nodes. */
export function plainRound(input: RoundInput): RoundCount {
  const ground = groundOf(input);
  return countOf(playOrder(ground, ground.due, leastAllocated));
}

function countOf({ mostMoves, totalMoves, stuck }: Course): RoundCount {
  return { mostMoves, totalMoves, stuck };
}

function explainStep(ground: Ground, step: CourseStep): RoundStep {
  const node = nodeName(ground, step.node);
  const moves = step.moves.map((move) => explainMove(ground, node, move));
  const again = moves.filter(({ reason }) => reason === 'NodeStillDue');
  const opens = [...new Set(again.map(({ to }) => to))].sort();
  const stuck = step.stuck.map((vm) => keyOf(ground, vm));
  const { result, reason, evidence } = decide(turnTable, {
    node,
    settling: moves.filter((move) => !again.includes(move)).map(({ vm }) => vm),
    lodging: again.map(({ vm }) => vm),
    stuck,
    staying: step.staying.map((vm) => keyOf(ground, vm)),
    lodgings: opens,
  });
  return { node, moves, opens, stuck, reason, message: result, evidence };
}

function explainMove(ground: Ground, from: string, move: CourseStep['moves'][number]): RoundMove {
  const vm = keyOf(ground, move.vm);
  const to = nodeName(ground, move.to);
  const { result, reason, evidence } = decide(targetTable, { vm, node: to, state: move.state });
  return { vm, from, to, reason, message: result, evidence };
}

function nodeName({ nodes }: Ground, node: number): string {
  return nodes[node]?.name ?? '';
}

function keyOf({ vms }: Ground, vm: number): string {
  return vms[vm]?.vm.key ?? '';
}
