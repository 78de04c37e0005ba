import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../../scenario/schema.ts';
import { checkCluster, checkScenario } from './check-scenario.ts';
import { beginningOfScenario } from './prepare.ts';

const check = (change: object) => {
  const cluster = { nodes: ['n1'], vms: [{ name: 'a', node: 'n1' }] };
  const scenario = scenarioSchema.parse({ title: 'x', cluster, ...change });
  checkScenario(scenario, beginningOfScenario(scenario));
};

describe('names in a scenario', () => {
  it.each([
    { timeline: [{ at: '1s', drain: { node: 'n1' } }] },
    { timeline: [{ at: '1s', restart: 'default/a' }] },
    {
      timeline: [
        { at: '0s', create: [{ kind: 'Node', metadata: { name: 'n2' } }] },
        { at: '1s', cordon: 'n2' },
      ],
    },
    { expect: { outcomes: { a: ['Absent', 'Cut'] }, counts: { Untouched: 1 } } },
    { expect: { outcomes: { b: 'Absent' } } },
    { expect: { outcomes: { new: 'Untouched' } }, settings: { external: 'capk-backport' } },
    {
      timeline: [{ at: '1s', create: [{ kind: 'VirtualMachine', metadata: { name: 'b' } }] }],
      expect: { outcomes: { b: 'Untouched' }, nodes: { b: 'n1', 'default/b': 'n1' } },
    },
    { timeline: [{ at: '1s', config: { configuration: { migrations: { progressTimeout: null } } } }] },
  ])('are there: %j', (change) => {
    expect(() => check(change)).not.toThrow();
  });

  it.each([
    [{ timeline: [{ at: '1s', failNode: 'n9' }] }, 'timeline[0]: there is no node n9'],
    [{ timeline: [{ at: '1s', drain: { node: 'n1', then: ['n9'] } }] }, 'timeline[0]: there is no node n9'],
    [{ timeline: [{ at: '1s', evict: 'b' }] }, 'timeline[0]: there is no VM b among default/a'],
    [
      { timeline: [{ at: '1s', delete: { kind: 'Foo', name: 'f' } }] },
      'timeline[0]: a simulated cluster has no objects of kind Foo',
    ],
    [{ expect: { outcomes: { a: 'Moves' } } }, 'expect: Moves is no outcome'],
    [
      { expect: { outcomes: { b: 'Cut' }, nodes: { b: '', c: 'n1' } } },
      'expect: there is no VM b among default/a; expect: there is no VM c among default/a',
    ],
    [{ expect: { drains: { n1: 'succeeded' } } }, 'expect: there is no drain of n1'],
    [
      { timeline: [{ at: '1s', config: { configuration: { migrations: { progressTimeout: 'long' } } } }] },
      'timeline[0]: config: spec.configuration.migrations.progressTimeout: expected number, received string',
    ],
    [
      { timeline: [{ at: '1s', edit: { vm: 'a', patch: { spec: { template: 3 } } } }] },
      'timeline[0]: edit: spec.template: expected object, received number',
    ],
    [
      {
        timeline: [
          { at: '1s', create: [{ kind: 'Pod', metadata: { name: 'p' }, spec: { containers: 'x' } }] },
        ],
      },
      'timeline[0]: create: spec.containers: expected array, received string',
    ],
    [
      { timeline: [{ at: '1s', config: { workloadUpdateStrategy: { batchEvictionInterval: 'soon' } } }] },
      'timeline[0]: config: spec.workloadUpdateStrategy.batchEvictionInterval: "soon" is no duration',
    ],
  ])('are missed: %j', (change, message) => {
    expect(() => check(change)).toThrow(message);
  });

  it('a node of a generated fleet that was guessed is answered with the names that there are', () => {
    const cluster = { fleet: { nodes: 2, vms: 1 } };
    expect(() => check({ cluster, timeline: [{ at: '1s', failNode: 'n1' }] })).toThrow(
      'timeline[0]: there is no node n1 among node-0001, node-0002',
    );
  });
});

describe('a cluster', () => {
  const of = (cluster: object) => () =>
    checkCluster(beginningOfScenario(scenarioSchema.parse({ title: 'x', cluster })));

  it('of which all is there once can be', () => {
    expect(of({ nodes: ['n1'], vms: [{ name: 'a', node: 'n1' }, { name: 'b' }] })).not.toThrow();
  });

  it.each([
    [{ nodes: ['n1', { name: 'n1' }] }, 'cluster: there are two of Node n1'],
    [{ vms: [{ name: 'a' }, { name: 'a' }] }, 'there are two of VirtualMachine default/a; '],
    [
      { nodes: ['n1'], vms: [{ name: 'a', node: 'n2' }] },
      'cluster: default/a runs on n2, and there is no such node',
    ],
  ])('cannot be: %j', (cluster, message) => {
    expect(of(cluster)).toThrow(message);
  });
});

it.each([{ upgrade: { launcherImage: 'L2' } }, { config: { configuration: {} } }])(
  '%j is refused where there is no KubeVirt, which would be answered as harmless',
  (action) => {
    const scenario = scenarioSchema.parse({ title: 'x', cluster: {}, timeline: [{ at: '1s', ...action }] });
    const { objects, ...beginning } = beginningOfScenario(scenario);
    const others = objects.filter((object) => (object as { kind: string }).kind !== 'KubeVirt');
    expect(() => checkScenario(scenario, { ...beginning, objects })).not.toThrow();
    expect(() => checkScenario(scenario, { ...beginning, objects: others })).toThrow(
      'timeline[0]: there is no KubeVirt object',
    );
  },
);
