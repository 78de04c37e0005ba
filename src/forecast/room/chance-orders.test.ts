import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Amounts } from '../../decide/placement/resources.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { certainOf } from './chance.ts';
import type { Claim, Claims } from './claims.ts';
import type { Manner } from './manner.ts';
import { claimsOn, NAMES } from './test-claims.ts';
import { placesInTurn } from './turns.ts';

/** All are met in some order, each on some node. */
function somehow({ all, world }: Claims, next: () => number): Set<Claim> {
  const cpuOf = ({ kind }: Claim) => kind.amounts.get('cpu') ?? 0;
  const load = new Map<string, number>();
  const add = (node: string, cpu: number) => load.set(node, (load.get(node) ?? 0) + cpu);
  const isGone = ({ manner, one }: Claim) => manner === 'leaves' && one.ending.budget === undefined;
  for (const claim of all) if (!isGone(claim)) add(claim.home, cpuOf(claim));
  const at = new Map(all.map((claim) => [claim, claim.home]));
  const times = new Map<Claim, number>();
  for (;;) {
    const steps = all.flatMap((claim) => {
      const most = claim.manner === 'leaves' ? 0 : claim.mayReturn ? 2 : 1;
      if ((times.get(claim) ?? 0) >= most) return [];
      return [...claim.kind.nodes].flatMap((node) => {
        const has = (world.allocatableOn(world.node(node) as Node) as Amounts).get('cpu') ?? 0;
        const isThere = node === at.get(claim);
        const free = has - (load.get(node) ?? 0) + (isThere ? cpuOf(claim) : 0);
        return (claim.manner === 'moves' && isThere) || free < cpuOf(claim) ? [] : [{ claim, node }];
      });
    });
    const step = steps[Math.floor(next() * steps.length)];
    if (!step) return new Set(times.keys());
    add(at.get(step.claim) ?? '', -cpuOf(step.claim));
    add(step.node, cpuOf(step.claim));
    at.set(step.claim, step.node);
    times.set(step.claim, (times.get(step.claim) ?? 0) + 1);
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
        mayReturn: fc.boolean(),
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
