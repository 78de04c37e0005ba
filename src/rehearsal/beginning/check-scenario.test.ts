import { describe, expect, it } from 'vitest';
import { scenarioIn } from '../../scenario/read.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { checkCluster, checkScenario, idleWords, strangeVersion } from './check-scenario.ts';
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

describe('what does nothing', () => {
  const idle = (change: object) => {
    const cluster = {
      nodes: ['n1'],
      vms: [
        { name: 'a', node: 'n1', labels: { app: 'db' } },
        { name: 'off', phase: 'Stopped' },
      ],
    };
    const scenario = scenarioSchema.parse({ title: 'x', cluster, ...change });
    return idleWords(scenario, beginningOfScenario(scenario));
  };

  it.each([
    [{ name: 'b' }, ['guests[0]: no VM is picked by {"name":"b"}']],
    [{ namespace: 'shop' }, ['guests[0]: no VM is picked by {"namespace":"shop"}']],
    [{ matchLabels: { app: 'web' } }, ['guests[0]: no VM is picked by {"matchLabels":{"app":"web"}}']],
    [{}, []],
    [{ name: 'of*' }, []],
    [{ matchLabels: { app: 'db' } }, []],
  ])('guests %j', (selector, told) => {
    expect(idle({ guests: [{ selector, bootSeconds: 3 }] })).toEqual(told);
  });

  it('guests of VMs that are created later do something', () => {
    const create = [{ kind: 'VirtualMachine', metadata: { name: 'b' } }];
    const guests = [{ selector: { name: 'b' }, bootSeconds: 3 }];
    expect(idle({ guests, timeline: [{ at: '1s', create }] })).toEqual([]);
  });

  it('questions, which only a test of the folder asks', () => {
    const asks = [{ ask: 'plan drain n1', expect: {} }];
    expect(idle({ asks })).toEqual(['asks: are not asked here; only what the timeline says is played']);
  });

  it('actions after the end', () => {
    const settings = { until: '1m' };
    const timeline = [
      { at: '1m', cordon: 'n1' },
      { at: '61s', uncordon: 'n1' },
    ];
    expect(idle({ settings, timeline })).toEqual([
      'timeline[1]: is never done, since the run ends 1m0s after the beginning (settings.until)',
    ]);
    expect(idle({ timeline: [{ at: '9h', cordon: 'n1' }] })).toEqual([]);
  });

  it.each([
    [
      { config: { configuration: { migratoins: { progressTimeout: 5 } } } },
      ['timeline[0]: config: spec.configuration.migratoins does nothing here'],
    ],
    [
      {
        edit: {
          vm: 'a',
          patch: { spec: { template: { spec: { domain: { rng: {}, cpu: { sockets: 2 } } } } } },
        },
      },
      ['timeline[0]: edit: spec.template.spec.domain.rng does nothing here'],
    ],
    [{ config: { configuration: { evictionStrategy: null } } }, []],
    [{ edit: { vm: 'a', patch: { metadata: { labels: { x: 'y' } } } } }, []],
  ])('fields that nobody reads: %j', (action, told) => {
    expect(idle({ timeline: [{ at: '1s', ...action }] })).toEqual(told);
  });
});

describe('a scenario file', () => {
  it.each([
    ['a: b: c', 'ScenarioUnreadable', /^s\.yaml: /],
    ['title: 1', 'ScenarioInvalid', /^s\.yaml: title: /],
    [
      'title: x\ntimeline: [{ at: 1s }]',
      'ScenarioInvalid',
      /timeline\[0\]: an entry of the timeline has "at" and one action: upgrade, /,
    ],
    ['title: x\ntimeline: [{ at: 5, cordon: n1 }]', 'ScenarioInvalid', /timeline\[0\]\.at/],
    ['title: x\nsettings: { sed: 1 }', 'ScenarioInvalid', /sed/],
    ...[
      ['vms: [{ name: a, memory: lots }]', /cluster\.vms\[0\]\.memory: "lots" is no size/],
      ['vms: [{ name: a, cpu: -1 }]', /cluster\.vms\[0\]\.cpu: "-1" is no number of CPUs/],
      ['vms: [{ name: a, strategy: LiveMigrat }]', /"LiveMigrat" is not one of None, LiveMigrate, /],
      ['vms: [{ name: a, runStrategy: Alwys }]', /"Alwys" is not one of Always, /],
      ['vms: [{ name: a, phase: Runing }]', /"Runing" is not one of Stopped, /],
      ['kubevirt: { methods: [Evic] }', /methods\[0\]: "Evic" is not one of LiveMigrate, Evict/],
      ['kubevirt: { batchEvictionInterval: soon }', /"soon" is no duration: write 90s or 5m/],
      ['kubevirt: { migrations: { parallelMigrationPerCluster: 3 } }', /parallelMigrationPerCluster/],
      ['kubevirt: { migrations: { parallelMigrationsPerCluster: four } }', /expected number/],
      [
        'snapshot: dump.yaml, nodes: [n1]',
        /cluster: a cluster is a snapshot, or is described here; not both/,
      ],
      ['fleet: { nodes: 1, vms: 1, memory: { big: 1 } }', /big/],
    ].map(([cluster, message]): [string, string, RegExp] => [
      ...([`title: x\ncluster: { ${cluster} }`, 'ScenarioInvalid'] as const),
      message as RegExp,
    ]),
  ])('%j is refused', (text, code, message) => {
    expect(() => scenarioIn(text, 's.yaml')).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('is read with durations as seconds', () => {
    const { timeline, settings } = scenarioIn(
      'title: x\nsettings: { until: 1h30m }\ntimeline: [{ at: 90s, killController: {} }]',
      's',
    );
    expect([settings.until, timeline]).toEqual([5400, [{ at: 90, killController: { for: 10 } }]]);
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

it.each([
  ['v1.5.0', []],
  ['v1.9.0', []],
  ['v2.0.0', [expect.stringMatching(/^KubeVirt 2\.0 is not among those that are known/)]],
])('a cluster with KubeVirt %s', (version, told) => {
  const scenario = scenarioSchema.parse({
    title: 'x',
    cluster: { nodes: ['n1'], vms: [], kubevirt: { version } },
  });
  expect(strangeVersion(beginningOfScenario(scenario))).toEqual(told);
});
