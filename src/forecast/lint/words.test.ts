import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { found, grouped, lasting, listed, refsOf, verb } from './words.ts';

const named = (name: string, namespace?: string) => ({ metadata: { name, namespace } });

describe('found', () => {
  it('is nothing where there are no members', () => {
    expect(
      found(
        'Node',
        [],
        (node) => node,
        () => ({ cause: '', cure: '', evidence: [] }),
      ),
    ).toEqual([]);
  });

  it('speaks of all members, from the first of them', () => {
    const members = ['b', 'a'].map((name) => ({ node: named(name) }));
    const words = ({ node }: { node: { metadata: { name: string } } }, count: number) => ({
      cause: `${count} as ${node.metadata.name}`,
      cure: '',
      evidence: [],
    });
    const [finding] = found('Node', members, ({ node }) => node, words);
    expect(finding).toMatchObject({ objects: ['Node a', 'Node b'], cause: '2 as b', cure: '', evidence: [] });
  });
});

it('refsOf sorts by code units and names each object once', () => {
  expect(refsOf('Pod', [named('b', 'n'), named('B', 'n'), named('b', 'n'), named('a', 'm')])).toEqual([
    'Pod m/a',
    'Pod n/B',
    'Pod n/b',
  ]);
  expect(refsOf('VirtualMachineInstance', [aVmi().build()])).toEqual(['VirtualMachineInstance shop/db']);
});

it('grouped keeps order, and leaves out what has no text', () => {
  const text = (n: number) => (n === 0 ? undefined : String(n % 2));
  expect(grouped([3, 0, 2, 1, 4], text)).toEqual([
    [3, 1],
    [2, 4],
  ]);
});

it('verb knows one from many', () => {
  expect([0, 1, 2].map((count) => verb(count, 'has', 'have'))).toEqual(['have', 'has', 'have']);
});

describe('listed', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c, d and e'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'a, b, c, d, e and 2 more'],
  ])('%j is "%s"', (names, text) => {
    expect(listed(names)).toBe(text);
  });

  it('takes another limit', () => {
    expect(listed(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  });
});

describe('lasting', () => {
  it.each([
    [0, '0 min'],
    [59_999, '0 min'],
    [60_000, '1 min'],
    [120 * 60_000 - 1, '119 min'],
    [120 * 60_000, '2 h'],
    [48 * 3_600_000 - 1, '47 h'],
    [48 * 3_600_000, '2 d'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(lasting(milliseconds)).toBe(text);
  });

  it('never takes a unit that fits only once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7_200_000, max: 1e12 }), (milliseconds) => {
        expect(Number.parseInt(lasting(milliseconds), 10)).toBeGreaterThanOrEqual(2);
      }),
    );
  });
});
