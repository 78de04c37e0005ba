import { describe, expect, it } from 'vitest';
import { scenarioIn } from './read.ts';

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
