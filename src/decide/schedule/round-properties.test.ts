import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderRound, type Round, type RoundInput } from './round.ts';
import { inputOf } from './test-round.ts';

/** Whether some order and some targets bring every VM that goes through the round with at most so many moves each. */
function isPossible({ nodes, vms }: RoundInput, limit: number): boolean {
  const seen = new Set<string>();
  const due = nodes.filter(({ isDue }) => isDue).map(({ name }) => name);
  const has = (name: string) => nodes.find((node) => node.name === name)?.allocatable.get('memory') ?? 0;
  const asks = vms.map(({ requests }) => requests.get('memory') ?? 0);
  type State = {
    readonly left: readonly string[];
    readonly at: readonly string[];
    readonly moves: readonly number[];
  };
  const drainNext = ({ left, at, moves }: State): boolean => {
    if (left.length === 0) return true;
    const key = JSON.stringify([left, at, moves]);
    if (seen.has(key)) return false;
    seen.add(key);
    return left.some((node) => {
      const rest = { left: left.filter((other) => other !== node), at, moves };
      return empty(
        rest,
        node,
        [...at.keys()].filter((vm) => at[vm] === node),
      );
    });
  };
  const empty = (state: State, node: string, going: readonly number[]): boolean => {
    const [vm, ...others] = going;
    if (vm === undefined) return drainNext(state);
    if ((state.moves[vm] ?? 0) >= limit) return false;
    return nodes.some(({ name }) => {
      if (name === node || !vms[vm]?.mayGoTo.has(name)) return false;
      const load = asks.reduce((sum, amount, other) => (state.at[other] === name ? sum + amount : sum), 0);
      if (load + (asks[vm] ?? 0) > has(name)) return false;
      const at = state.at.with(vm, name);
      return empty({ ...state, at, moves: state.moves.with(vm, (state.moves[vm] ?? 0) + 1) }, node, others);
    });
  };
  return drainNext({ left: due, at: vms.map(({ node }) => node), moves: vms.map(() => 0) });
}

const aSmallRound = fc
  .record({
    sizes: fc.array(fc.integer({ min: 4, max: 9 }), { minLength: 2, maxLength: 4 }),
    outside: fc.boolean(),
    vms: fc.array(
      fc.record({ node: fc.nat(3), asks: fc.integer({ min: 1, max: 4 }), except: fc.option(fc.nat(3)) }),
      { maxLength: 5 },
    ),
  })
  .map(({ sizes, outside, vms }) => {
    const names = sizes.map((_, index) => `n${index}`);
    const nodes = Object.fromEntries(
      sizes.map((size, index) => [`n${index}${outside && index === 0 ? '!' : ''}`, size]),
    );
    const at = (index: number) => names[index % names.length] ?? '';
    const placed = vms.map(({ node, asks }, index) => [`v${index}@${at(node)}`, asks]);
    const change = vms.map(({ except, node }, index) => {
      const allowed = names.filter((name) => except === null || name === at(node) || name !== at(except));
      return [`v${index}`, { mayGoTo: new Set(allowed) }];
    });
    return inputOf({ nodes, vms: Object.fromEntries(placed), change: Object.fromEntries(change) });
  })
  // Nobody can make room on a node that has promised too much.
  .filter(({ nodes }) =>
    nodes.every(({ load, allocatable }) => (load.get('memory') ?? 0) <= (allocatable.get('memory') ?? 0)),
  );

function fewestMoves(input: RoundInput): number | undefined {
  return [0, 1, 2, 3, 4].find((limit) => isPossible(input, limit));
}

/** Plays the steps anew, by nothing but their words. */
function replayed({ nodes, vms }: RoundInput, { steps }: Round): Map<string, string> {
  const at = new Map(vms.map(({ key, node }) => [key, node]));
  for (const { node, moves } of steps) {
    for (const { vm, from, to } of moves) {
      expect(at.get(vm)).toBe(from);
      expect(from).toBe(node);
      expect(to).not.toBe(node);
      at.set(vm, to);
    }
    for (const { name, allocatable } of nodes) {
      const load = vms
        .filter(({ key }) => at.get(key) === name)
        .reduce((sum, { requests }) => sum + (requests.get('memory') ?? 0), 0);
      expect(load).toBeLessThanOrEqual(allocatable.get('memory') ?? 0);
    }
  }
  return at;
}

const aLargeRound = fc
  .record({
    nodes: fc.integer({ min: 6, max: 14 }),
    vms: fc.array(fc.record({ node: fc.nat(13), asks: fc.integer({ min: 1, max: 5 }) }), { maxLength: 40 }),
  })
  .map(({ nodes, vms }) => {
    const free = Array.from({ length: nodes }, () => 20);
    const placed = vms.flatMap(({ node, asks }, index): [string, number][] => {
      const on = node % nodes;
      if ((free[on] ?? 0) < asks) return [];
      free[on] = (free[on] ?? 0) - asks;
      return [[`v${index}@n${on}`, asks]];
    });
    const names = free.map((_, index) => [`n${index}`, 20]);
    return inputOf({ nodes: Object.fromEntries(names), vms: Object.fromEntries(placed) });
  });

describe('beside every possible round of a small cluster', () => {
  it('finds one where there is one, with at most one move more, and the bound is never wrong', () => {
    fc.assert(
      fc.property(aSmallRound, (input) => {
        const fewest = fewestMoves(input);
        const round = orderRound(input);
        if (fewest === undefined) return;
        expect(round.bound.moves).toBeLessThanOrEqual(fewest);
        expect(round.stuck).toBe(0);
        expect(round.mostMoves).toBeLessThanOrEqual(fewest + 1);
      }),
      { numRuns: 200, seed: 11 },
    );
  });
});

describe('whatever the cluster', () => {
  it('no node is given too much, and every VM that goes ends where it may', () => {
    fc.assert(
      fc.property(fc.oneof(aSmallRound, aLargeRound), (input) => {
        const round = orderRound(input);
        const at = replayed(input, round);
        for (const { key, mayGoTo } of input.vms) expect(mayGoTo).toContain(at.get(key));
        expect(orderRound(input)).toEqual(round);
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('two moves are enough for all where the cluster could do without one of its nodes', () => {
    const nodes = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`n${index}`, 16]));
    const vms = Object.fromEntries(
      Array.from({ length: 12 * 14 }, (_, index) => [`v${index}@n${index % 12}`, 1]),
    );
    const round = orderRound(inputOf({ nodes, vms }));
    expect(round).toMatchObject({ stuck: 0, mostMoves: 2, bound: { moves: 2 } });
    expect(round.totalMoves).toBe(12 * 14 + 14);
  });
});
