/** Looks for an order of the nodes, and targets, in which no VM moves often. */
import { type Course, drain, playOrder, rankOf } from './course.ts';
import type { Ground } from './ground.ts';
import { Standing } from './standing.ts';
import { CHOICES, type ChooseTargets } from './targets.ts';

/** Nodes that something holds up come last whatever the search finds, so that they do not keep the others waiting. */
function isHeld({ vms }: Ground, node: number): boolean {
  return vms.some(({ home, vm }) => home === node && vm.fate === 'Stays');
}

/** Least of all VMs without a place, then the fewest moves of any VM, then the fewest moves in all. */
function isBetter(a: Course, b: Course): boolean {
  const difference = a.stuck - b.stuck || a.mostMoves - b.mostMoves || a.totalMoves - b.totalMoves;
  return difference < 0;
}

/** All orders of so many nodes are tried. */
const FEW_NODES = 5;

/** Looks at VMs and nodes that a search may take, about two seconds of them. */
const LOOKS = 20_000_000;
const FEWEST_PLAYS = 6;
const MOST_PLAYS = 2_000;

function playsFor({ vms, nodes }: Ground): number {
  const looks = Math.max(1, vms.length * nodes.length);
  return Math.min(MOST_PLAYS, Math.max(FEWEST_PLAYS, Math.floor(LOOKS / looks)));
}

/**
 * The best course found.
 *
 * Promise: deterministic; of up to five nodes every order is tried. It ends when no VM moves more than once, when no other turn
 * of any one node is better, or when the effort is spent.
 */
export function searchCourse(ground: Ground): Course {
  const held = ground.due.filter((node) => isHeld(ground, node));
  const free = ground.due.filter((node) => !held.includes(node));
  const search = new Search(ground, [...free, ...held]);
  if (ground.due.length <= FEW_NODES) search.all(free, held);
  else search.improve(firstOrders(ground, free, held), free.length);
  return search.best;
}

class Search {
  readonly #ground: Ground;
  readonly #least: number;
  #left: number;
  #best: { readonly order: readonly number[]; readonly course: Course };

  constructor(ground: Ground, order: readonly number[]) {
    this.#ground = ground;
    this.#left = playsFor(ground);
    this.#least = ground.vms.filter(({ vm, home }) => vm.fate === 'Goes' && ground.nodes[home]?.isDue).length;
    this.#best = { order, course: playOrder(ground, order, CHOICES[0]) };
  }

  get best(): Course {
    return this.#best.course;
  }

  /** Nothing is better than one move for each VM that goes. */
  get #isDone(): boolean {
    const { stuck, totalMoves } = this.#best.course;
    return this.#left <= 0 || (stuck === 0 && totalMoves <= this.#least);
  }

  #try(order: readonly number[]): boolean {
    let isKept = false;
    for (const choose of CHOICES) {
      if (this.#isDone) break;
      this.#left -= 1;
      const course = playOrder(this.#ground, order, choose);
      if (!isBetter(course, this.#best.course)) continue;
      this.#best = { order, course };
      isKept = true;
    }
    return isKept;
  }

  /** Every order of the nodes, and behind it every order of the later ones. */
  all(nodes: readonly number[], later: readonly number[], before: readonly number[] = []): void {
    if (nodes.length === 0 && later.length > 0) this.all(later, [], before);
    else if (nodes.length === 0) this.#try(before);
    for (const node of nodes) {
      if (this.#isDone) return;
      const others = nodes.filter((other) => other !== node);
      this.all(others, later, [...before, node]);
    }
  }

  /** From the best of some orders, one node after another goes to another turn, for as long as that is better. */
  improve(orders: readonly (readonly number[])[], free: number): void {
    for (const order of orders) this.#try(order);
    let improved = true;
    while (improved && !this.#isDone) improved = this.#tryOtherTurns(this.#best.order, free);
  }

  /** The first better order in which one node has another turn. */
  #tryOtherTurns(order: readonly number[], free: number): boolean {
    return order.some((_, from) =>
      order.some((__, to) => from !== to && from < free === to < free && this.#try(moved(order, from, to))),
    );
  }
}

function moved(order: readonly number[], from: number, to: number): number[] {
  const changed = [...order];
  changed.splice(to, 0, ...changed.splice(from, 1));
  return changed;
}

/** The cheapest node next; fewest VMs first; as given. */
function firstOrders(ground: Ground, free: readonly number[], held: readonly number[]): number[][] {
  const counts = ground.nodes.map(() => 0);
  for (const { home } of ground.vms) counts[home] = (counts[home] ?? 0) + 1;
  const fewest = (nodes: readonly number[]) =>
    [...nodes].sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0) || a - b);
  const byCount = [...fewest(free), ...fewest(held)];
  return [...cheapestNext(ground, byCount, free.length), byCount];
}

/** Of this many looks on, the cheapest next node is not looked for. */
const MOST_LOOKS = 50_000_000;

/** Always the node of which fewest VMs must go to nodes that are still due; of several, the first. */
function cheapestNext(ground: Ground, nodes: readonly number[], free: number): number[][] {
  if (nodes.length * ground.vms.length * ground.nodes.length > MOST_LOOKS) return [];
  const choose = CHOICES[0];
  const standing = new Standing(ground);
  const order: number[] = [];
  const rank = rankOf(ground, nodes);
  const [first, later] = [nodes.slice(0, free), nodes.slice(free)];
  while (order.length < nodes.length) {
    const left = first.length > 0 ? first : later;
    const next = cheapest(standing, left, choose, rank);
    left.splice(left.indexOf(next), 1);
    order.push(next);
    drain(standing, next, choose, rank);
  }
  return [order];
}

function cheapest(
  standing: Standing,
  left: readonly number[],
  choose: ChooseTargets,
  rank: readonly number[],
): number {
  let best = { node: left[0] ?? 0, cost: Number.POSITIVE_INFINITY };
  for (const node of left) {
    const cost = costOf(standing, node, choose, rank);
    if (cost < best.cost) best = { node, cost };
    if (cost === 0) break;
  }
  return best.node;
}

/** A VM without a place weighs as much as all that have to move again. */
function costOf(standing: Standing, node: number, choose: ChooseTargets, rank: readonly number[]): number {
  const going = standing.on(node).filter((vm) => standing.ground.vms[vm]?.vm.fate === 'Goes');
  standing.states[node] = 'Drained';
  const targets = choose(standing, going, rank);
  standing.states[node] = 'Due';
  const costs = targets.map((target) => {
    if (target === undefined) return standing.ground.vms.length;
    return standing.isSettled(target) ? 0 : 1;
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}
