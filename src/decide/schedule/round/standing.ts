/** Where everything stands in the middle of a round. */
import type { Ground, GroundVm } from './ground.ts';

/** `Outside` the round; still `Due`; being `Drained`; `Done`, so given back. */
export type NodeState = 'Outside' | 'Due' | 'Drained' | 'Done';

/** The nodes and VMs of a round: at first every VM is at home, then as they are moved. */
export class Standing {
  readonly ground: Ground;
  readonly states: NodeState[];
  /** How often each VM has moved. */
  readonly moves: number[];
  readonly #room: number[][];
  readonly #on: Set<number>[];
  /** How many are there of each group that somebody must be apart from, by node. */
  readonly #ofGroup: Map<number, number>[];

  constructor(ground: Ground) {
    this.ground = ground;
    this.states = ground.nodes.map(({ isDue }) => (isDue ? 'Due' : 'Outside'));
    this.moves = ground.vms.map(() => 0);
    this.#room = ground.room.map((room) => [...room]);
    this.#on = ground.nodes.map(() => new Set());
    this.#ofGroup = ground.nodes.map(() => new Map());
    ground.vms.forEach(({ home, groups }, vm) => {
      this.#on[home]?.add(vm);
      this.#count(home, groups, 1);
    });
  }

  /** Numbers of the VMs on a node. */
  on(node: number): number[] {
    return [...(this.#on[node] ?? [])].sort((a, b) => a - b);
  }

  /** Whether a VM may come that is elsewhere: the node is open, has room, and nobody is there that must be apart from it. */
  takes(node: number, vm: GroundVm): boolean {
    if (this.states[node] === 'Drained') return false;
    const room = this.#room[node] ?? [];
    if (vm.asks.some((amount, resource) => amount > 0 && amount > (room[resource] ?? 0))) return false;
    return !vm.minds.some((group) => this.#ofGroup[node]?.get(group));
  }

  /** A VM on a node that is done, or not part of the round, does not move again. */
  isSettled(node: number): boolean {
    return this.states[node] === 'Done' || this.states[node] === 'Outside';
  }

  /** The shares of all resources that are free on a node, added up; what it has in plenty is not counted. */
  emptiness(node: number): number {
    const room = this.#room[node] ?? [];
    return room.reduce((sum, amount, resource) => {
      const most = this.ground.most[resource] ?? 0;
      return most > 0 && Number.isFinite(amount) ? sum + amount / most : sum;
    }, 0);
  }

  /** How empty a node is in kube-scheduler's eyes: the free shares of what it has of CPU and memory, added up. */
  freeShare(node: number): number {
    const { has, weighed } = this.ground;
    return weighed.reduce((sum, resource) => {
      const capacity = has[node]?.[resource] ?? 0;
      return capacity > 0 ? sum + Math.max(0, this.#room[node]?.[resource] ?? 0) / capacity : sum;
    }, 0);
  }

  /** Lets a VM come to a node; `leave` takes it off. */
  come(node: number, vm: number): void {
    this.#on[node]?.add(vm);
    this.#change(node, vm, -1);
  }

  leave(node: number, vm: number): void {
    this.#on[node]?.delete(vm);
    this.#change(node, vm, 1);
  }

  #change(node: number, vm: number, sign: number): void {
    const room = this.#room[node] ?? [];
    const { asks = [], groups = [] } = this.ground.vms[vm] ?? {};
    asks.forEach((amount, resource) => {
      room[resource] = (room[resource] ?? 0) + sign * amount;
    });
    this.#count(node, groups, -sign);
  }

  #count(node: number, groups: readonly number[], change: number): void {
    const counts = this.#ofGroup[node];
    for (const group of groups) counts?.set(group, (counts.get(group) ?? 0) + change);
  }
}
