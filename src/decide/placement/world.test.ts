import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { NOBODY, type PodsByNode } from './placed.ts';
import { PlacementWorld } from './world.ts';

const launcher = aPod('l').launcherOf(aVmi().build()).on('n1').asking({ cpu: '2' }).build();
const attachment = aPod('hp').labelled('kubevirt.io', 'hotplug-disk').on('n1').asking({ cpu: '1' }).build();
const system = aPod('s').on('n1').asking({ cpu: '4' }).build();
const finished = aPod('f').on('n1').asking({ cpu: '8' }).phase('Succeeded').build();
const term = { topologyKey: 'zone', labelSelector: {} };
const guard = aPod('g')
  .on('n2')
  .spec({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } })
  .build();
const pods = [launcher, attachment, system, finished, guard];
const worldOf = (asked: string[] = []) =>
  new PlacementWorld({
    nodes: [aNode('n2').build(), aNode('n1').build()],
    podsOn: (node) => {
      asked.push(node);
      return pods.filter(({ spec }) => spec?.nodeName === node);
    },
  });

const placesOf = (selected: Iterable<PodsByNode>) =>
  [...selected].flatMap((one) =>
    [...one.there({ gone: NOBODY })].flatMap(([node, there]) =>
      there.map((pod) => `${node.metadata.name} ${pod.metadata.name}`),
    ),
  );

describe('a world', () => {
  it('has its nodes by name', () => {
    expect(worldOf().nodes.map(({ metadata }) => metadata.name)).toEqual(['n1', 'n2']);
    expect(worldOf().node('n2')?.metadata.name).toBe('n2');
    expect(worldOf().node('n3')).toBeUndefined();
  });

  it('has the unfinished pods in their places', () => {
    const world = worldOf();
    expect(world.podsOn('n1')).toEqual([launcher, attachment, system]);
    expect(world.podsOn('n3')).toEqual([]);
    expect(placesOf(world.selectedBy([term], system))).toEqual(['n1 l', 'n1 hp', 'n1 s', 'n2 g']);
  });

  it('adds up what they reserve, with and without those of VMs', () => {
    const world = worldOf();
    expect(Object.fromEntries(world.loadOn('n1'))).toEqual({ cpu: 7000, pods: 3 });
    expect(Object.fromEntries(world.loadOn('n1', true))).toEqual({ cpu: 4000, pods: 1 });
    expect(Object.fromEntries(world.loadOn('n2'))).toEqual({ pods: 1 });
  });

  it('finds unfinished pods by whom they belong to', () => {
    const ended = aPod('e').launcherOf(aVmi().build()).on('n1').phase('Succeeded').build();
    const attached = aPod('a').ownedBy('Pod', 'l').on('n2').build();
    const there = [launcher, ended, attached, system];
    const world = new PlacementWorld({
      nodes: [aNode('n1').build(), aNode('n2').build()],
      podsOn: (node) => there.filter(({ spec }) => spec?.nodeName === node),
    });
    expect(world.podsOf('uid-db')).toEqual([launcher]);
    expect(world.podsOf('uid-l')).toEqual([attached]);
    expect(world.podsOf('uid-x')).toEqual([]);
  });

  it('knows what a node has to give, if it tells', () => {
    const world = worldOf();
    const node = aNode('n1').offering({ cpu: '2', pods: '9' }).build();
    expect(Object.fromEntries(world.allocatableOn(node) ?? [])).toEqual({ cpu: 2000, pods: 9 });
    expect(world.allocatableOn(node)).toBe(world.allocatableOn(node));
    expect(world.allocatableOn(aNode('n2').build())).toBeUndefined();
    expect(world.allocatableOn({ metadata: { name: 'n3' } })).toBeUndefined();
  });

  it('asks once for the pods of a node', () => {
    const asked: string[] = [];
    const world = worldOf(asked);
    world.loadOn('n1');
    world.loadOn('n1', true);
    world.selectedBy([term], system);
    world.guardsAgainst(system);
    expect(asked).toEqual(['n1', 'n2']);
    expect(world.loadOn('n1')).toBe(world.loadOn('n1'));
  });

  it('finds the pods that keep a pod off', () => {
    const [found, ...others] = worldOf().guardsAgainst(system);
    expect(others).toEqual([]);
    expect(found && [found.topologyKey, ...placesOf([found.pods])]).toEqual(['zone', 'n2 g']);
    expect(worldOf().guardsAgainst(launcher)).toHaveLength(1);
  });

  it.each([
    ['by matchLabels', { matchLabels: { app: 'db', tier: 'x' } }, ['db']],
    [
      'one of several values',
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] },
      ['db', 'web'],
    ],
    [
      'one value told twice',
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'db'] }] },
      ['db'],
    ],
    ['that no pod has', { matchLabels: { app: 'x' } }, []],
    ['no value', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, ['db', 'web']],
    [
      'not one value',
      { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] },
      ['web', 'guard', 'bare'],
    ],
  ])('finds whom a term selects, from either side: %s', (_name, labelSelector, found) => {
    const apart = { labelSelector, topologyKey: 'zone' };
    const keepingOff = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } };
    const there = [
      aPod('db').labelled('app', 'db').labelled('tier', 'x').build(),
      aPod('web').labelled('app', 'web').build(),
      aPod('guard').spec({ affinity: keepingOff }).build(),
      aPod('bare').build(),
    ];
    const world = new PlacementWorld({ nodes: [aNode('n1').build()], podsOn: () => there });
    const guarded = there.filter((pod) => world.guardsAgainst(pod).length > 0);
    expect(placesOf(world.selectedBy([apart], aPod('mine').build()))).toEqual(
      found.map((name) => `n1 ${name}`),
    );
    expect(guarded.map(({ metadata }) => metadata.name)).toEqual(found);
  });

  it('looks once for those whom a term of thousands of pods selects', () => {
    const world = worldOf();
    const [mine, other, elsewhere] = [aPod('a').build(), aPod('b').build(), aPod('c', 'web').build()];
    const selected = (asked: PodAffinityTerm, owner: Pod) => world.selectedBy([asked], owner)[0];
    expect(selected(structuredClone(term), other)).toBe(selected(term, mine));
    expect(selected(term, elsewhere)).not.toBe(selected(term, mine));
    const anywhere = { ...term, namespaceSelector: {} };
    expect(selected(anywhere, elsewhere)).toBe(selected(anywhere, mine));
  });

  it('knows nothing that it was not told', () => {
    const world = worldOf();
    expect(world.cordoned.size).toBe(0);
    expect(world.namespaceLabels('shop')).toBeUndefined();
    expect(world.volumesOf(system)).toEqual([]);
  });
});
