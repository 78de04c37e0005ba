import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Demand, fairShares } from './fair-share.ts';

const FREE = Number.POSITIVE_INFINITY;
const NAMES = ['thin', 'wide', 'cut', 'unknown'];
const CAPACITIES = [10, 100, 0];

function flow(key: string, links: readonly string[], limit = FREE): Demand {
  return { key, links: links.map((link) => NAMES.indexOf(link)), limit };
}

function shares(...demands: Demand[]): Record<string, number> {
  return Object.fromEntries(fairShares(demands, CAPACITIES));
}

describe('fair shares', () => {
  it.each<[string, Demand[], Record<string, number>]>([
    ['one alone has it all', [flow('a', ['wide'])], { a: 100 }],
    ['two share evenly', [flow('a', ['wide']), flow('b', ['wide'])], { a: 50, b: 50 }],
    [
      'what one cannot use elsewhere the others get',
      [flow('a', ['wide', 'thin']), flow('b', ['wide']), flow('c', ['thin'])],
      { a: 5, b: 95, c: 5 },
    ],
    [
      'what one does not want the others get',
      [flow('a', ['wide'], 20), flow('b', ['wide']), flow('c', ['wide'])],
      { a: 20, b: 40, c: 40 },
    ],
    [
      'a limit at the fair share takes nothing off',
      [flow('a', ['thin'], 5), flow('b', ['thin'])],
      { a: 5, b: 5 },
    ],
    [
      'a link without capacity stops its flows only',
      [flow('a', ['cut', 'wide']), flow('b', ['wide'])],
      { a: 0, b: 100 },
    ],
    ['an unknown link has no capacity', [flow('a', ['unknown'])], { a: 0 }],
    ['a limit of zero is kept', [flow('a', ['wide'], 0), flow('b', ['wide'])], { a: 0, b: 100 }],
    ['without links only the limit counts', [flow('a', [], 7), flow('b', [])], { a: 7, b: FREE }],
    ['nobody wants anything', [], {}],
  ])('%s', (_, demands, expected) => {
    expect(shares(...demands)).toEqual(expected);
  });
});

const links = [0, 1, 2, 3, 4];
const networks = fc.record({
  capacities: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 5, maxLength: 5 }),
  flows: fc.array(
    fc.record({
      over: fc.uniqueArray(fc.constantFrom(...links), { minLength: 1, maxLength: 4 }),
      limit: fc.oneof(fc.constant(FREE), fc.integer({ min: 1, max: 500 })),
    }),
    { minLength: 1, maxLength: 25 },
  ),
});

function played({ capacities, flows }: typeof networks extends fc.Arbitrary<infer T> ? T : never) {
  const demands = flows.map(({ over, limit }, index) => ({ key: `f${index}`, links: over, limit }));
  const capacity = (link: number) => capacities[link] ?? 0;
  const rates = fairShares(demands, capacities);
  const rateOf = ({ key }: Demand) => rates.get(key) ?? 0;
  const load = (link: number) =>
    demands.filter((demand) => demand.links.includes(link)).reduce((sum, demand) => sum + rateOf(demand), 0);
  return { demands, capacity, rateOf, load, again: (others: Demand[]) => fairShares(others, capacities) };
}

describe('in any network', () => {
  it('no link carries more than it can', () => {
    fc.assert(
      fc.property(networks, (network) => {
        const { capacity, load } = played(network);
        for (const link of links) expect(load(link)).toBeLessThanOrEqual(capacity(link) + 1e-6);
      }),
    );
  });

  it('nobody starves, and nobody gets more than it wants', () => {
    fc.assert(
      fc.property(networks, (network) => {
        const { demands, rateOf } = played(network);
        for (const demand of demands) {
          expect(rateOf(demand)).toBeGreaterThan(0);
          expect(rateOf(demand)).toBeLessThanOrEqual(demand.limit);
        }
      }),
    );
  });

  it('who wants more is held by a full link on which nobody gets more', () => {
    fc.assert(
      fc.property(networks, (network) => {
        const { demands, capacity, rateOf, load } = played(network);
        for (const demand of demands.filter((wanting) => rateOf(wanting) < wanting.limit - 1e-9)) {
          const holds = (link: number) =>
            load(link) >= capacity(link) - 1e-6 &&
            demands.every((other) => !other.links.includes(link) || rateOf(other) <= rateOf(demand) + 1e-6);
          expect(demand.links.some(holds)).toBe(true);
        }
      }),
    );
  });

  it('the order does not matter, to the last bit', () => {
    fc.assert(
      fc.property(networks, (network) => {
        const { demands, again } = played(network);
        expect(again([...demands].reverse())).toEqual(again(demands));
      }),
    );
  });
});
