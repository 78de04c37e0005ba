import { describe, expect, it } from 'vitest';
import { aNode, aPod } from '../../kubevirt/builders.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import {
  avoidedBy,
  companyOf,
  guardedAgainst,
  hasCompany,
  inTheWay,
  keptOffNodeOf,
  pairsOf,
} from './neighbours.ts';
import { NOBODY, type Presence } from './placed.ts';
import { PlacementWorld } from './world.ts';

const zone = (name: string, value: string) => aNode(name).labelled('zone', value).build();
const nodes = [
  zone('n1', 'a'),
  zone('n2', 'a'),
  zone('n3', 'b'),
  aNode('bare').meta({ labels: undefined }).build(),
];
const app = (value: string): PodAffinityTerm => ({
  labelSelector: { matchLabels: { app: value } },
  topologyKey: 'zone',
});
const pod = (name: string, on: string | undefined, value = 'db') => {
  const built = aPod(name).labelled('app', value);
  return on ? built.on(on) : built;
};
const withAnti = (terms: PodAffinityTerm[], base = pod('mine', undefined)) =>
  base
    .spec({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } })
    .build();
const withAffinity = (terms: PodAffinityTerm[], base = pod('mine', undefined)) =>
  base.spec({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } }).build();
const worldOf = (pods: Pod[], namespaceLabels?: (name: string) => Record<string, string> | undefined) =>
  new PlacementWorld({
    nodes,
    podsOn: (node) => pods.filter(({ spec }) => spec?.nodeName === node),
    namespaceLabels,
  });
const all = { gone: NOBODY };
const without = (...pods: Pod[]) => ({ gone: new Set(pods) });

describe('required anti-affinity of the pod', () => {
  it.each<[string, PodAffinityTerm[], Pod[], string[]]>([
    ['no terms', [], [pod('p', 'n1').build()], []],
    ['a matching pod', [app('db')], [pod('p', 'n1').build()], ['zone=a']],
    [
      'matching pods in two zones',
      [app('db')],
      [pod('p', 'n2').build(), pod('q', 'n3').build()],
      ['zone=a', 'zone=b'],
    ],
    ['another label', [app('web')], [pod('p', 'n1').build()], []],
    ['a finished pod', [app('db')], [pod('p', 'n1').phase('Succeeded').build()], []],
    ['a pod being deleted still counts', [app('db')], [pod('p', 'n1').deleting().build()], ['zone=a']],
    ['a node without the topology label', [app('db')], [pod('p', 'bare').build()], []],
    ['another namespace', [app('db')], [aPod('p', 'web').labelled('app', 'db').on('n1').build()], []],
    ['a term without selector', [{ topologyKey: 'zone' }], [pod('p', 'n1').build()], []],
    ['several terms, any of them', [app('web'), app('db')], [pod('p', 'n1').build()], ['zone=a']],
    ['a pod on no known node', [app('db')], [pod('p', 'n9').build()], []],
  ])('%s', (_name, terms, pods, taken) => {
    expect(pairsOf(avoidedBy(withAnti(terms), worldOf(pods), all))).toEqual(taken);
  });

  it.each([[['p', 'q']], [['q', 'p']]])('names the first by name of several, listed as %j', (names) => {
    const world = worldOf(names.map((name) => pod(name, 'n1').build()));
    expect(
      avoidedBy(withAnti([app('db')]), world, all)
        .get('zone')
        ?.get('a')?.metadata.name,
    ).toBe('p');
  });

  it('passes over pods that do not count', () => {
    const p = pod('p', 'n1').build();
    const world = worldOf([p, pod('q', 'n3').build()]);
    const taken = avoidedBy(withAnti([app('db')]), world, without(p));
    expect(pairsOf(taken)).toEqual(['zone=b']);
  });

  it('names the first pod in the way', () => {
    const world = worldOf([pod('q', 'n2').build(), pod('p', 'n1').build()]);
    const taken = avoidedBy(withAnti([app('db')]), world, all);
    expect(taken.get('zone')?.get('a')?.metadata.name).toBe('p');
  });
});

describe('namespaces of a term', () => {
  const elsewhere = aPod('p', 'web').labelled('app', 'db').on('n1').build();
  const labelsOf = (name: string) => (name === 'web' ? { team: 'x' } : undefined);
  it.each<[string, Partial<PodAffinityTerm>, boolean]>([
    ["none given: the pod's own", {}, false],
    ["an empty list: the pod's own", { namespaces: [] }, false],
    ['named', { namespaces: ['web'] }, true],
    ['another named', { namespaces: ['shop'] }, false],
    ['selected by its labels', { namespaceSelector: { matchLabels: { team: 'x' } } }, true],
    ['not selected', { namespaceSelector: { matchLabels: { team: 'y' } } }, false],
    ['an empty selector selects all', { namespaceSelector: {} }, true],
    ['named or selected', { namespaces: ['web'], namespaceSelector: { matchLabels: { team: 'y' } } }, true],
  ])('%s', (_name, more, taken) => {
    const world = worldOf([elsewhere], labelsOf);
    expect(avoidedBy(withAnti([{ ...app('db'), ...more }]), world, all).size > 0).toBe(taken);
  });

  it('a namespace whose labels are not known has none', () => {
    const term = { ...app('db'), namespaceSelector: { matchLabels: { team: 'x' } } };
    expect(avoidedBy(withAnti([term]), worldOf([elsewhere]), all).size).toBe(0);
  });

  it('pods without a namespace share one', () => {
    const bare = (name: string, nodeName?: string): Pod => ({
      metadata: { name, labels: { app: 'db' } },
      spec: { nodeName },
    });
    const mine = { ...withAnti([app('db')]), metadata: { name: 'mine' } };
    expect(avoidedBy(mine, worldOf([bare('p', 'n1')]), all).size).toBe(1);
  });
});

describe('required anti-affinity of pods in place', () => {
  const mine = pod('mine', undefined).build();
  it.each<[string, Pod[], string[]]>([
    ['it avoids this one', [withAnti([app('db')], pod('p', 'n1', 'x'))], ['zone=a']],
    ['it avoids another', [withAnti([app('web')], pod('p', 'n1', 'x'))], []],
    ['it looks only into its own namespace', [withAnti([app('db')], aPod('p', 'web').on('n1'))], []],
    [
      'it looks into ours',
      [withAnti([{ ...app('db'), namespaces: ['shop'] }], aPod('p', 'web').on('n1'))],
      ['zone=a'],
    ],
    ['it is finished', [withAnti([app('db')], pod('p', 'n1', 'x').phase('Failed'))], []],
    ['it has no terms', [pod('p', 'n1').build()], []],
    ['its node has no such topology', [withAnti([app('db')], pod('p', 'bare', 'x'))], []],
  ])('%s', (_name, pods, taken) => {
    expect(pairsOf(guardedAgainst(mine, worldOf(pods), all))).toEqual(taken);
  });

  it('passes over pods that do not count', () => {
    const guard = withAnti([app('db')], pod('p', 'n1', 'x'));
    expect(guardedAgainst(mine, worldOf([guard]), without(guard)).size).toBe(0);
  });
});

describe('the pod in the way on a node', () => {
  const world = worldOf([pod('p', 'n1').build()]);
  const taken = avoidedBy(withAnti([app('db')]), world, all);
  it.each([
    ['n1', 'p'],
    ['n2', 'p'],
    ['n3', undefined],
    ['bare', undefined],
  ])('on %s: %s', (name, found) => {
    const node = world.node(name);
    expect(node && inTheWay(taken, node)?.pod.metadata.name).toBe(found);
    expect(node && inTheWay(new Map(), node)).toBeUndefined();
  });
});

it.each([
  [['zone', 'rack'], 'zone=a'],
  [['rack', 'zone'], 'rack=r'],
])('of two domains in the way the one is named that the node is labelled with first: %j', (keys, pair) => {
  const labels = Object.fromEntries(keys.map((key) => [key, key === 'zone' ? 'a' : 'r']));
  const node = aNode('n1').meta({ labels }).build();
  const terms = [app('db'), { ...app('db'), topologyKey: 'rack' }];
  const world = new PlacementWorld({ nodes: [node], podsOn: () => [pod('p', 'n1').build()] });
  expect(inTheWay(avoidedBy(withAnti(terms), world, all), node)?.pair).toBe(pair);
});

describe('required affinity', () => {
  const host = (value: string): PodAffinityTerm => ({ ...app(value), topologyKey: 'kubernetes.io/hostname' });
  const at = (terms: PodAffinityTerm[], pods: Pod[], presence: Presence = all, mine = 'db') => {
    const world = worldOf(pods);
    const company = companyOf(withAffinity(terms, pod('mine', undefined, mine)), world, presence);
    return world.nodes.filter((node) => hasCompany(company, node)).map(({ metadata }) => metadata.name);
  };
  it.each<[string, PodAffinityTerm[], Pod[], string[]]>([
    ['no terms: anywhere', [], [], ['bare', 'n1', 'n2', 'n3']],
    ['near the pods asked for', [app('web')], [pod('p', 'n1', 'web').build()], ['n1', 'n2']],
    ['nobody there: nowhere', [app('web')], [], []],
    ['the first of its kind: wherever the topology is', [app('db')], [], ['n1', 'n2', 'n3']],
    ['not the first of its kind: near the others', [app('db')], [pod('p', 'n3').build()], ['n3']],
    ['all terms at once', [app('web'), host('web')], [pod('p', 'n1', 'web').build()], ['n1']],
    [
      'a pod that only one term selects is no company',
      [app('web'), host('db')],
      [pod('p', 'n1', 'web').build()],
      [],
    ],
    ['finished pods are no company', [app('web')], [pod('p', 'n1', 'web').phase('Succeeded').build()], []],
    ['company on a node without the topology is none', [app('web')], [pod('p', 'bare', 'web').build()], []],
  ])('%s', (_name, terms, pods, fits) => {
    expect(at(terms, pods)).toEqual(fits);
  });

  it('passes over pods that do not count', () => {
    const web = pod('p', 'n1', 'web').build();
    expect(at([app('web')], [web], without(web))).toEqual([]);
  });

  it('comes first only if all terms select it', () => {
    expect(at([app('db'), app('web')], [])).toEqual([]);
  });
});

describe('two pods on one node', () => {
  const onHosts = (value: string) => ({ ...app(value), topologyKey: 'kubernetes.io/hostname' });
  const keptOff = (one: Pod, ...others: Pod[]) =>
    keptOffNodeOf(one, worldOf(others)).flatMap((pods) =>
      [...pods.there(all)].flatMap(([, there]) => there.map(({ metadata }) => metadata.name)),
    );
  it.each<[string, PodAffinityTerm[], boolean]>([
    ['no terms', [], false],
    ['a term about zones', [app('db')], false],
    ['a term about nodes that selects others', [onHosts('web')], false],
    ['a term about nodes', [app('db'), onHosts('db')], true],
    ['a term about another namespace', [{ ...onHosts('db'), namespaces: ['other'] }], false],
  ])('with %s', (_, terms, isApart) => {
    const [minding, other] = [withAnti(terms), pod('other', 'n1').build()];
    const placed = { ...minding, spec: { ...minding.spec, nodeName: 'n2' } };
    expect(keptOff(minding, other)).toEqual(isApart ? ['other'] : []);
    expect(keptOff(other, placed)).toEqual(isApart ? [minding.metadata.name] : []);
  });

  it('are the same ones for all that the same term keeps off', () => {
    const world = worldOf([pod('other', 'n1').build()]);
    const [one] = keptOffNodeOf(withAnti([onHosts('db')]), world);
    expect(keptOffNodeOf(withAnti([onHosts('db')]), world)[0]).toBe(one);
  });
});
