import { expect, it } from 'vitest';
import { aNode, aPod } from '../../kubevirt/builders.ts';
import { CordonedWorld } from './cordoned.ts';
import { PlacementWorld } from './world.ts';

const [n1, n2] = [aNode('n1').offering({ cpu: '8' }).build(), aNode('n2').build()];
const open = new PlacementWorld({ nodes: [n1, n2], podsOn: () => [aPod().build()] });

it('cordons nodes on top of those that are cordoned', () => {
  const one = new CordonedWorld(open, ['n1']);
  expect([...new CordonedWorld(one, ['n2']).cordoned]).toEqual(['n1', 'n2']);
  expect([[...one.cordoned], open.cordoned.size]).toEqual([['n1'], 0]);
});

it('shares all that the world beneath works out', () => {
  const [one, other] = [new CordonedWorld(open, ['n1']), new CordonedWorld(open, ['n2'])];
  expect(one.loadOn('n1')).toBe(other.loadOn('n1'));
  expect(one.podsOn('n1')).toBe(other.podsOn('n1'));
  expect(one.allocatableOn(n1)).toBe(other.allocatableOn(n1));
});
