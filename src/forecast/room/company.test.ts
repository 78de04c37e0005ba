import { describe, expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { fleetOf } from '../test-clusters.ts';

/** What an upgrade tells of each VM, and whether it is sure of it. */
function upgraded(cluster: Partial<ScenarioCluster>): Record<string, string> {
  const kubevirt = { methods: ['LiveMigrate', 'Evict'] };
  const fleet = fleetOf(clusterObjects({ nodes: [], vms: [], kubevirt, ...cluster }));
  const { status } = planUpgrade(fleet, { launcherImage: 'L2' }, { now: 0 });
  return Object.fromEntries(
    status.vms.map(({ name, outcome, message }) => [
      name,
      `${outcome}${/; should/.test(message) ? ', or not' : ''}`,
    ]),
  );
}

const vm = (name: string, node: string, change: Partial<ScenarioVm> = {}): ScenarioVm => ({
  ...{ name, node, migratable: true, strategy: 'LiveMigrate', labels: { app: 'db' }, ...change },
});
const term = (topologyKey = 'kubernetes.io/hostname') => ({
  requiredDuringSchedulingIgnoredDuringExecution: [
    { labelSelector: { matchLabels: { app: 'db' } }, topologyKey },
  ],
});
const apart = { affinity: { podAntiAffinity: term() } };
const zoned = (name: string, zone: string) => ({ name, labels: { zone } });

describe('VMs of one action that keep apart', () => {
  it('find room for sure where there are more nodes than they can take', () => {
    const vms = [vm('a', 'n1', apart), vm('b', 'n2', apart), vm('c', 'n3', apart)];
    expect(upgraded({ nodes: ['n1', 'n2', 'n3', 'n4'], vms })).toEqual({
      a: 'LiveMigrates',
      b: 'LiveMigrates',
      c: 'LiveMigrates',
    });
  });

  it('may take the only node from one that keeps off them, and it from them', () => {
    const vms = [vm('a', 'n1'), vm('b', 'n1', { ...apart, labels: {} })];
    expect(upgraded({ nodes: ['n1', 'n2'], vms })).toEqual({
      a: 'LiveMigrates, or not',
      b: 'LiveMigrates, or not',
    });
  });

  it('take a whole zone from each other', () => {
    const vms = [vm('a', 'n1'), vm('b', 'n1', { labels: {}, affinity: { podAntiAffinity: term('zone') } })];
    const nodes = [zoned('n1', 'x'), zoned('n2', 'y'), zoned('n3', 'y')];
    expect(upgraded({ nodes, vms })).toEqual({ a: 'LiveMigrates, or not', b: 'LiveMigrates, or not' });
    expect(upgraded({ nodes: [...nodes, zoned('n4', 'z')], vms })).toEqual({
      a: 'LiveMigrates',
      b: 'LiveMigrates',
    });
  });
});

it('one that goes where others are depends on where they are by its turn', () => {
  const near = { affinity: { podAffinity: term() }, labels: {} };
  const vms = [vm('a', 'n1'), vm('b', 'n2'), vm('c', 'n1', near)];
  expect(upgraded({ nodes: ['n1', 'n2'], vms })).toEqual({
    a: 'LiveMigrates',
    b: 'LiveMigrates',
    c: 'NeverCompletes, or not',
  });
});

it('one that is spread with others depends on where they go', () => {
  const labelSelector = { matchLabels: { app: 'db' } };
  const topologySpreadConstraints = [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
  ];
  const vms = [vm('a', 'n1'), vm('b', 'n2', { topologySpreadConstraints })];
  expect(upgraded({ nodes: ['n1', 'n2', 'n3'], vms })).toEqual({
    a: 'LiveMigrates',
    b: 'LiveMigrates, or not',
  });
});
