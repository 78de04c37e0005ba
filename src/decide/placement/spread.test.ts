import { describe, expect, it } from 'vitest';
import { aNode, aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { NOBODY, type Presence } from './placed.ts';
import { isWantedNode, spreadProblem, spreadsOf } from './spread.ts';
import { PlacementWorld } from './world.ts';

type Constraint = NonNullable<NonNullable<Pod['spec']>['topologySpreadConstraints']>[number];

const zone = (name: string, value: string) => aNode(name).labelled('zone', value);
const nodes = [zone('n1', 'a'), zone('n2', 'a').labelled('disk', 'ssd'), zone('n3', 'b'), aNode('bare')].map(
  (node) => node.build(),
);
const db = (name: string, on?: string) => (on ? aPod(name).on(on) : aPod(name)).labelled('app', 'db');
const even: Constraint = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'db' } },
};
const worldOf = (pods: Pod[]) =>
  new PlacementWorld({ nodes, podsOn: (node) => pods.filter(({ spec }) => spec?.nodeName === node) });
const all = { gone: NOBODY };
const mine = (constraints: Constraint[], more: Pod['spec'] = {}) =>
  db('mine')
    .spec({ topologySpreadConstraints: constraints, ...more })
    .build();
const problems = (pod: Pod, pods: Pod[], presence: Presence = all) => {
  const world = worldOf(pods);
  const spreads = spreadsOf(pod, world, presence);
  return Object.fromEntries(
    world.nodes.map((node) => {
      const problem = spreadProblem(spreads, node);
      return [node.metadata.name, problem && (problem.skew ?? 'no label')];
    }),
  );
};
const [p, q] = [db('p', 'n1').build(), db('q', 'n2').build()];

describe('topology spread', () => {
  it.each<[string, Pod, Pod[], Record<string, unknown>]>([
    ['no constraints', mine([]), [p], {}],
    ['only a wish', mine([{ ...even, whenUnsatisfiable: 'ScheduleAnyway' }]), [p, q], {}],
    ['empty zones are even', mine([even]), [], { bare: 'no label' }],
    ['one more in a zone is too many', mine([even]), [p], { n1: 2, n2: 2, bare: 'no label' }],
    [
      'the zone is summed over its nodes',
      mine([{ ...even, maxSkew: 2 }]),
      [p, q],
      { n1: 3, n2: 3, bare: 'no label' },
    ],
    ['a larger skew is allowed', mine([{ ...even, maxSkew: 3 }]), [p, q], { bare: 'no label' }],
    ['no maxSkew means 1', mine([{ ...even, maxSkew: undefined }]), [p], { n1: 2, n2: 2, bare: 'no label' }],
    [
      'no whenUnsatisfiable forbids',
      mine([{ ...even, whenUnsatisfiable: undefined }]),
      [p],
      { n1: 2, n2: 2, bare: 'no label' },
    ],
    [
      'finished pods do not count',
      mine([even]),
      [db('p', 'n1').phase('Failed').build()],
      { bare: 'no label' },
    ],
    [
      'pods being deleted do not count',
      mine([even]),
      [db('p', 'n1').deleting().build()],
      { bare: 'no label' },
    ],
    [
      'other namespaces do not count',
      mine([even]),
      [aPod('p', 'web').labelled('app', 'db').on('n1').build()],
      { bare: 'no label' },
    ],
    ['other pods do not count', mine([even]), [aPod('p').on('n1').build()], { bare: 'no label' }],
    [
      'the pod itself may not match',
      aPod('mine')
        .spec({ topologySpreadConstraints: [even] })
        .build(),
      [p],
      { bare: 'no label' },
    ],
    [
      'without selector nothing counts',
      mine([{ ...even, labelSelector: undefined }]),
      [p, q],
      { bare: 'no label' },
    ],
    [
      'too few domains: the fewest is 0',
      mine([{ ...even, minDomains: 3 }]),
      [p, db('r', 'n3').build()],
      { n1: 2, n2: 2, n3: 2, bare: 'no label' },
    ],
    ['enough domains', mine([{ ...even, minDomains: 2 }]), [p, db('r', 'n3').build()], { bare: 'no label' }],
    [
      'nodes that the selector rules out are no domain',
      mine([even], { nodeSelector: { disk: 'ssd' } }),
      [q],
      { bare: 'no label' },
    ],
    [
      'every constraint counts',
      mine([
        { ...even, maxSkew: 9 },
        { ...even, topologyKey: 'kubernetes.io/hostname' },
      ]),
      [p],
      { n1: 2, bare: 'no label' },
    ],
    [
      'a node must carry every key to be a domain',
      mine([
        { ...even, topologyKey: 'kubernetes.io/hostname' },
        { ...even, topologyKey: 'disk' },
      ]),
      [q],
      { bare: 'no label', n1: 'no label', n3: 'no label' },
    ],
  ])('%s', (_name, pod, pods, skews) => {
    const found = problems(pod, pods);
    expect(Object.fromEntries(Object.entries(found).filter(([, skew]) => skew !== undefined))).toEqual(skews);
  });

  it('passes over pods that do not count', () => {
    expect(problems(mine([even]), [p], { gone: new Set([p]) })).toMatchObject({ n1: undefined });
  });

  it('narrows the selector to pods with the same value of matchLabelKeys', () => {
    const keyed = { ...even, matchLabelKeys: ['version', 'nowhere'] };
    const old = db('old', 'n1').labelled('version', '1').build();
    const next = db('mine')
      .labelled('version', '2')
      .spec({ topologySpreadConstraints: [keyed] })
      .build();
    const same = db('mine')
      .labelled('version', '1')
      .spec({ topologySpreadConstraints: [keyed] })
      .build();
    expect(problems(next, [old])).toMatchObject({ n1: undefined });
    expect(problems(same, [old])).toMatchObject({ n1: 2 });
  });

  it('keeps the expressions of the selector beside matchLabelKeys', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] };
    const keyed = { ...even, labelSelector: selector, matchLabelKeys: ['app'] };
    expect(problems(mine([keyed]), [p])).toMatchObject({ n1: undefined });
  });

  it('tells the constraint that is broken', () => {
    const spreads = spreadsOf(mine([even]), worldOf([p]), all);
    expect(nodes[0] && spreadProblem(spreads, nodes[0])).toEqual({
      topologyKey: 'zone',
      maxSkew: 1,
      skew: 2,
    });
  });
});

describe('a wanted node', () => {
  const ssd = { matchExpressions: [{ key: 'disk', operator: 'Exists' }] };
  const required = (terms: (typeof ssd)[] | undefined) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    },
  });
  it.each<[string, NonNullable<Pod['spec']>, string[]]>([
    ['without demands', {}, ['n1', 'n2', 'n3', 'bare']],
    ['by selector', { nodeSelector: { zone: 'a' } }, ['n1', 'n2']],
    ['by required affinity', required([ssd]), ['n2']],
    ['by both', { nodeSelector: { zone: 'b' }, ...required([ssd]) }, []],
    ['no terms want none', required(undefined), []],
  ])('%s', (_name, spec, wanted) => {
    const pod = aPod().spec(spec).build();
    expect(nodes.filter((node) => isWantedNode(pod, node)).map(({ metadata }) => metadata.name)).toEqual(
      wanted,
    );
  });
});
