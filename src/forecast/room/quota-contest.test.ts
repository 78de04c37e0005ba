import { expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import type { VmVerdict } from '../forecast.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { fleetOf } from '../test-clusters.ts';

const back: ScenarioVm = { name: 'back', node: 'n1', migratable: 'No', strategy: 'None' };
const stuck: ScenarioVm = {
  ...{ name: 'stuck', node: 'n1', migratable: true, strategy: 'LiveMigrate' },
  nodeSelector: { 'kubernetes.io/hostname': 'n1' },
};

interface Case {
  readonly vms?: readonly ScenarioVm[];
  readonly pods?: number;
  readonly namespace?: string;
}

function upgraded({ vms = [back, stuck], pods = 2, namespace = 'default' }: Case): VmVerdict | undefined {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'quota', namespace },
    spec: { hard: { pods: String(pods) } },
    status: { hard: { pods: String(pods) }, used: { pods: '2' } },
  };
  const kubevirt = { methods: ['LiveMigrate', 'Evict'] };
  const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt, vms: [...vms], objects: [quota] });
  const { status } = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 });
  return status.vms.find(({ name }) => name === 'back');
}

const TOLD =
  '; should the migration of default/stuck take its place in the quota before it is back, it waits until there is one';

it('a migration that is tried for ever may take the place of one that is shut down', () => {
  const verdict = upgraded({});
  expect(verdict).toMatchObject({
    outcome: 'Restarts',
    reason: 'RunStrategyAlways',
    message: `default/back is evicted and shut down: run strategy Always starts it again${TOLD}`,
  });
  expect(verdict?.evidence).toContainEqual({
    object: 'this action',
    path: 'migrations that are tried for ever',
    value: ['default/stuck'],
  });
});

it('so where the guest decides', () => {
  const verdict = upgraded({ vms: [{ ...back, runStrategy: 'RerunOnFailure' }, stuck] });
  expect(verdict).toMatchObject({ outcome: 'MayStayOff', message: expect.stringContaining(TOLD) });
});

it.each<[string, Case]>([
  ['there is a place for either', { pods: 3 }],
  ['the quota is of another namespace', { namespace: 'others' }],
  ['the migration comes to an end', { vms: [back, { ...stuck, nodeSelector: undefined, launcher: 'L2' }] }],
  ['it stays off anyway', { vms: [{ ...back, runStrategy: 'Manual' }, stuck] }],
])('but not where %s', (_, what) => {
  expect(upgraded(what)?.message).not.toContain('quota');
});
