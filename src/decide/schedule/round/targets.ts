/** Where the VMs of a drained node go. */
import type { Standing } from './standing.ts';

/** The node for each of the VMs, in their order; undefined where it finds none. The standing is as before when it returns. */
export type ChooseTargets = (
  standing: Standing,
  vms: readonly number[],
  rank: readonly number[],
) => (number | undefined)[];

/** Which of several nodes is better for a VM, given where everything stands. */
type Preference = (standing: Standing, rank: readonly number[]) => Compare;

type Compare = (a: number, b: number) => number;

const tightest: Preference = (standing) => (a, b) => standing.emptiness(a) - standing.emptiness(b) || a - b;

const emptiest: Preference = (standing) => (a, b) => standing.emptiness(b) - standing.emptiness(a) || a - b;

const latest: Preference = (_, rank) => (a, b) => (rank[b] ?? 0) - (rank[a] ?? 0) || a - b;

/** Those last that the fewest others can do without. */
const leastWanted: Preference = (standing, rank) => {
  const { wanted } = standing.ground;
  const tighter = tightest(standing, rank);
  return (a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || tighter(a, b);
};

/**
 * Settled nodes, if all find room there; else settled nodes for as many as possible, those first that have moved most, and
 * nodes that are still due for the others. `rank` is each node's turn.
 */
function settledFirst(settled: Preference, due: Preference): ChooseTargets {
  return (standing, vms, rank) => {
    const order = hardestFirst(standing, vms);
    const [better, betterDue] = [settled(standing, rank), due(standing, rank)];
    const stay = (vm: number) =>
      fitting(standing, vm)
        .filter((node) => standing.isSettled(node))
        .sort(better);
    const lodge = (vm: number) =>
      fitting(standing, vm)
        .filter((node) => !standing.isSettled(node))
        .sort(betterDue);
    const any = (vm: number) => [...stay(vm), ...lodge(vm)];
    const found =
      fill(standing, order, stay) ?? fill(standing, order, any) ?? fillWhere(standing, order, any);
    return vms.map((vm) => found.get(vm));
  };
}

/** Whatever node the fewest others depend on, settled or not: more moves, but room for those with little choice. */
const sparing: ChooseTargets = (standing, vms, rank) => {
  const order = hardestFirst(standing, vms);
  const any = (vm: number) => fitting(standing, vm).sort(leastWanted(standing, rank));
  const found = fill(standing, order, any) ?? fillWhere(standing, order, any);
  return vms.map((vm) => found.get(vm));
};

/** Ways of choosing that are good in one cluster or another, the usually best one first. */
export const CHOICES: readonly [ChooseTargets, ...ChooseTargets[]] = [
  settledFirst(tightest, emptiest),
  settledFirst(tightest, latest),
  settledFirst(leastWanted, leastWanted),
  settledFirst(emptiest, emptiest),
  sparing,
];

/** As kube-scheduler does while no other node is cordoned: the node that is emptiest, one VM after another by key. */
export const leastAllocated: ChooseTargets = (standing, vms) => {
  const byFreeShare: Compare = (a, b) => standing.freeShare(b) - standing.freeShare(a) || a - b;
  const found = fillWhere(standing, vms, (vm) => fitting(standing, vm).sort(byFreeShare));
  return vms.map((vm) => found.get(vm));
};

type Candidates = (vm: number) => readonly number[];

function fitting(standing: Standing, number: number): number[] {
  const vm = standing.ground.vms[number];
  return vm ? vm.mayGoTo.filter((node) => standing.takes(node, vm)) : [];
}

function hardestFirst({ moves, ground }: Standing, vms: readonly number[]): number[] {
  const moved = (vm: number) => moves[vm] ?? 0;
  const size = (vm: number) => ground.vms[vm]?.size ?? 0;
  return [...vms].sort((a, b) => moved(b) - moved(a) || size(b) - size(a) || a - b);
}

/** Tries per VM before a node is taken to have too little room for all of them together. */
const TRIES_PER_VM = 8;
const LEAST_TRIES = 200;

/** A place for each, going back on earlier choices where that helps; nothing where not all found one within the tries. */
function fill(
  standing: Standing,
  vms: readonly number[],
  candidates: Candidates,
): Map<number, number> | undefined {
  let left = LEAST_TRIES + TRIES_PER_VM * vms.length;
  const found = new Map<number, number>();
  const place = (index: number): boolean => {
    const vm = vms[index];
    if (vm === undefined) return true;
    for (const node of candidates(vm)) {
      left -= 1;
      standing.come(node, vm);
      found.set(vm, node);
      const isPlaced = place(index + 1);
      standing.leave(node, vm);
      if (isPlaced) return true;
      found.delete(vm);
      if (left <= 0) return false;
    }
    return false;
  };
  return place(0) ? found : undefined;
}

/** A place for each that finds one, the best at its turn. */
function fillWhere(standing: Standing, vms: readonly number[], candidates: Candidates): Map<number, number> {
  const found = new Map<number, number>();
  for (const vm of vms) {
    const [node] = candidates(vm);
    if (node === undefined) continue;
    standing.come(node, vm);
    found.set(vm, node);
  }
  for (const [vm, node] of found) standing.leave(node, vm);
  return found;
}
