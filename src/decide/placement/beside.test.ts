import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import { WorldBeside } from './beside.ts';
import { CordonedWorld } from './cordoned.ts';
import { NOBODY, type PodsByNode } from './placed.ts';
import { PlacementWorld } from './world.ts';

const [n1, n2] = [
  aNode('n1').offering({ cpu: '8' }).build(),
  aNode('n2').labelled('zone', 'a').offering({ cpu: '4' }).build(),
];
const db = aVmi('db').build();
const term = { topologyKey: 'zone', labelSelector: {} };
const there = aPod('there').on('n1').asking({ cpu: '1' }).build();
const target = aPod('target').launcherOf(db).on('n2').asking({ cpu: '2' }).build();
const guard = aPod('guard')
  .on('n2')
  .asking({ cpu: '1' })
  .spec({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } })
  .build();
const volumes = [{ metadata: { name: 'pv' } }];
const open = new PlacementWorld({
  nodes: [n1, n2],
  podsOn: (node) => [there].filter(({ spec }) => spec?.nodeName === node),
  namespaceLabels: () => ({ team: 'shop' }),
  volumesOf: () => volumes,
});
const world = new CordonedWorld(open, ['n1']);
const beside = new WorldBeside(world, [
  { pod: target, node: n2 },
  { pod: guard, node: n2 },
]);
const names = (selected: Iterable<PodsByNode>) =>
  [...selected]
    .flatMap((one) => [...one.there({ gone: NOBODY })].flatMap(([, pods]) => pods))
    .map(({ metadata }) => metadata.name);

describe('a world beside pods that are on their way', () => {
  it('has them in their places, after those that are there', () => {
    expect(beside.podsOn('n1')).toEqual([there]);
    expect(beside.podsOn('n2')).toEqual([target, guard]);
    expect(names(beside.selectedBy([term], there))).toEqual(['there', 'target', 'guard']);
  });

  it('finds them by whom they belong to', () => {
    expect(beside.podsOf('uid-db')).toEqual([target]);
    expect(beside.podsOf('uid-web')).toEqual([]);
  });

  it('adds up what they reserve, with and without those of VMs', () => {
    expect(Object.fromEntries(beside.loadOn('n2'))).toEqual({ cpu: 3000, pods: 2 });
    expect(Object.fromEntries(beside.loadOn('n2', true))).toEqual({ cpu: 1000, pods: 1 });
    expect(beside.loadOn('n1')).toBe(world.loadOn('n1'));
  });

  it('minds whom they keep off', () => {
    const guards = beside.guardsAgainst(there);
    expect(guards.map(({ topologyKey }) => topologyKey)).toEqual(['zone']);
    expect(names(guards.map(({ pods }) => pods))).toEqual(['guard']);
  });

  it('is the world beneath in everything else', () => {
    expect(beside.nodes).toBe(world.nodes);
    expect(beside.node('n2')).toBe(n2);
    expect(beside.node('n3')).toBeUndefined();
    expect(beside.cordoned).toBe(world.cordoned);
    expect(beside.namespaceLabels('shop')).toEqual({ team: 'shop' });
    expect(beside.volumesOf(there)).toBe(volumes);
    expect(beside.allocatableOn(n2)).toBe(world.allocatableOn(n2));
  });

  it('leaves the world beneath as it is', () => {
    expect(world.podsOn('n2')).toEqual([]);
    expect(names(world.selectedBy([term], there))).toEqual(['there']);
  });
});
