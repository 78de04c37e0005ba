import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amounts } from '../../decide/placement/resources.ts';
import { PlacementWorld } from '../../decide/placement/world.ts';
import type { Node } from '../../kubevirt/objects.ts';
import type { Outcome } from '../forecast.ts';
import { certainOf } from './chance.ts';
import type { Claim, ClaimKind, Claims, Manner } from './claims.ts';
import { placesInTurn } from './turns.ts';

const NAMES = ['n1', 'n2', 'n3'] as const;

function worldOf(cpus: readonly number[]): PlacementWorld {
  const nodes = cpus.map((cpu, index): Node => {
    const name = NAMES[index] ?? `n${index + 1}`;
    return { kind: 'Node', metadata: { name }, status: { allocatable: { cpu } } };
  });
  return new PlacementWorld({ nodes, podsOn: () => [] });
}

interface Drawn {
  readonly vm: string;
  readonly home: string;
  readonly manner?: Manner;
  readonly cpu: number;
  readonly nodes?: readonly string[];
  readonly outcome?: Outcome;
  readonly budget?: string;
}

/** Claims on nodes with so many CPUs; those of the same size and the same nodes are of one kind. */
function claimsOn(cpus: readonly number[], drawn: readonly Drawn[]): Claims {
  const world = worldOf(cpus);
  const kinds = new Map<string, ClaimKind>();
  const all = drawn.map(({ vm, home, manner = 'moves', cpu, nodes, outcome, budget }): Claim => {
    const open = (nodes ?? NAMES.slice(0, cpus.length)).filter(
      (node) => Number(cpus[NAMES.indexOf(node as 'n1')]) >= cpu,
    );
    const key = `${cpu} ${open.join()}`;
    const kind = kinds.get(key) ?? { amounts: new Map([['cpu', cpu * 1000]]), nodes: new Set(open) };
    kinds.set(key, kind);
    const told =
      outcome ?? ({ moves: 'LiveMigrates', restarts: 'Restarts', leaves: 'StaysOff' } as const)[manner];
    const ending = { outcome: told, budget: budget && { name: budget, allowed: 1 } };
    return { one: { ending } as Claim['one'], vm, home, manner, kind };
  });
  return { all, world };
}

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

/** All are met in some order, each on some node. */
function somehow({ all, world }: Claims, next: () => number): Set<Claim> {
  const cpuOf = ({ kind }: Claim) => kind.amounts.get('cpu') ?? 0;
  const load = new Map<string, number>();
  const add = (node: string, cpu: number) => load.set(node, (load.get(node) ?? 0) + cpu);
  const isGone = ({ manner, one }: Claim) => manner === 'leaves' && one.ending.budget === undefined;
  for (const claim of all) if (!isGone(claim)) add(claim.home, cpuOf(claim));
  const met = new Set<Claim>();
  for (;;) {
    const steps = all.flatMap((claim) => {
      if (claim.manner === 'leaves' || met.has(claim)) return [];
      return [...claim.kind.nodes].flatMap((node) => {
        const has = (world.allocatableOn(world.node(node) as Node) as Amounts).get('cpu') ?? 0;
        const isHome = node === claim.home;
        const free = has - (load.get(node) ?? 0) + (isHome ? cpuOf(claim) : 0);
        return (claim.manner === 'moves' && isHome) || free < cpuOf(claim) ? [] : [{ claim, node }];
      });
    });
    const step = steps[Math.floor(next() * steps.length)];
    if (!step) return met;
    add(step.claim.home, -cpuOf(step.claim));
    add(step.node, cpuOf(step.claim));
    met.add(step.claim);
  }
}

const drawnClaims = fc
  .tuple(
    fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 2, maxLength: 3 }),
    fc.array(
      fc.record({
        home: fc.nat(2),
        manner: fc.constantFrom<Manner[]>('moves', 'moves', 'restarts', 'leaves'),
        cpu: fc.integer({ min: 1, max: 4 }),
        pinned: fc.option(fc.subarray([...NAMES], { minLength: 1 }), { nil: undefined }),
        budget: fc.constantFrom(undefined, 'web'),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([cpus, vms]) => {
    const left = [...cpus];
    const fitting = vms.flatMap(({ home, pinned, ...vm }, index) => {
      const at = home % cpus.length;
      if ((left[at] ?? 0) < vm.cpu) return [];
      left[at] = (left[at] ?? 0) - vm.cpu;
      const nodes = pinned?.filter((node) => NAMES.indexOf(node) < cpus.length);
      return [{ ...vm, vm: `vm-${index}`, home: NAMES[at] ?? '', ...(nodes && { nodes }) }];
    });
    return claimsOn(cpus, fitting);
  });

it('who is certain to find room finds it in every order', () => {
  fc.assert(
    fc.property(
      drawnClaims,
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 12, maxLength: 12 }),
      (claims, draws) => {
        let drawn = 0;
        const met = somehow(claims, () => draws[drawn++ % draws.length] ?? 0);
        for (const claim of certainOf(claims)) expect(met).toContain(claim);
      },
    ),
    { numRuns: 2000 },
  );
});

it('and in the order in which all are met in turn', () => {
  fc.assert(
    fc.property(drawnClaims, (claims) => {
      const places = placesInTurn(claims);
      for (const claim of certainOf(claims)) expect(places.has(claim)).toBe(true);
    }),
  );
});
