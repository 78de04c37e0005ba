import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../../scenario/schema.ts';
import { beginningOfScenario } from './prepare.ts';
import { idleWords, strangeVersion } from './warnings.ts';

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
