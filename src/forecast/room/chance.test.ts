import { describe, expect, it } from 'vitest';
import { certainOf } from './chance.ts';
import { claimsOn, type Drawn } from './test-claims.ts';

function certain(cpus: readonly number[], ...drawn: readonly Drawn[]): string[] {
  return [...certainOf(claimsOn(cpus, drawn))].map(({ vm }) => vm).sort();
}

describe('there is room whatever the others do', () => {
  it.each<[string, readonly number[], readonly Drawn[], readonly string[]]>([
    [
      'on a node that all of them fit on',
      [8, 8],
      [
        { vm: 'a', home: 'n1', cpu: 3 },
        { vm: 'b', home: 'n1', cpu: 5 },
      ],
      ['a', 'b'],
    ],
    [
      'not on a node that takes one alone',
      [8, 5],
      [
        { vm: 'a', home: 'n1', cpu: 3 },
        { vm: 'b', home: 'n1', cpu: 4 },
      ],
      [],
    ],
    [
      'for the small one, since launchers cannot be split',
      [12, 5],
      [
        { vm: 'a', home: 'n1', cpu: 1 },
        { vm: 'b', home: 'n1', cpu: 3 },
        { vm: 'c', home: 'n1', cpu: 3 },
      ],
      ['a'],
    ],
    [
      'on one node or the other, for they cannot both be filled',
      [6, 3, 3],
      [
        { vm: 'a', home: 'n1', cpu: 2 },
        { vm: 'b', home: 'n1', cpu: 2 },
      ],
      ['a', 'b'],
    ],
    [
      'not where both can be',
      [6, 3, 3],
      [
        { vm: 'a', home: 'n1', cpu: 2 },
        { vm: 'b', home: 'n1', cpu: 2 },
        { vm: 'c', home: 'n1', cpu: 2 },
      ],
      [],
    ],
    [
      'once one is away for sure',
      [16, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4 },
        { vm: 'b', home: 'n2', cpu: 2 },
      ],
      ['a', 'b'],
    ],
    [
      'not after one that may come back',
      [16, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4 },
        { vm: 'b', home: 'n2', cpu: 2, mayReturn: true },
      ],
      ['b'],
    ],
    [
      'not after one that may not get away',
      [7, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4 },
        { vm: 'b', home: 'n2', cpu: 4 },
      ],
      [],
    ],
    [
      'once one stays off',
      [8, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4 },
        { vm: 'b', home: 'n2', cpu: 2, manner: 'leaves' },
      ],
      ['a'],
    ],
    [
      'not after one that a budget may keep',
      [8, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4 },
        { vm: 'b', home: 'n2', cpu: 2, manner: 'leaves', budget: 'web' },
      ],
      [],
    ],
    [
      'not after one that another controller takes away some time',
      [8, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4 },
        { vm: 'b', home: 'n2', cpu: 2, manner: 'leaves', outcome: 'HandedOver' },
      ],
      [],
    ],
    [
      'for one that restarts, in its own place',
      [4, 2],
      [
        { vm: 'a', home: 'n1', cpu: 4, manner: 'restarts' },
        { vm: 'b', home: 'n1', cpu: 2, nodes: ['n2'] },
      ],
      ['a', 'b'],
    ],
    [
      'not for one that restarts where another moves to',
      [4, 4],
      [
        { vm: 'a', home: 'n1', cpu: 4, manner: 'restarts', nodes: ['n1'] },
        { vm: 'b', home: 'n2', cpu: 4 },
      ],
      [],
    ],
    ['not for one that moves, by its own node', [8, 1], [{ vm: 'a', home: 'n1', cpu: 2 }], []],
    [
      'not on a node that one which restarts may come back to',
      [8, 4],
      [
        { vm: 'a', home: 'n1', cpu: 2 },
        { vm: 'b', home: 'n2', cpu: 3, manner: 'restarts', nodes: [] },
      ],
      [],
    ],
  ])('%s', (_, cpus, drawn, expected) => {
    expect(certain(cpus, ...drawn)).toEqual(expected);
  });

  it('for none of many, where their sums alone are weighed', () => {
    const many = (count: number): Drawn[] =>
      Array.from({ length: count }, (_, index) => ({ vm: `b${index}`, home: 'n1', cpu: 3 }));
    const a: Drawn = { vm: 'a', home: 'n1', cpu: 1, nodes: ['n2'] };
    expect(certain([200, 5], a, ...many(63))).toEqual(['a']);
    expect(certain([200, 5], a, ...many(64))).toEqual([]);
  });
});
