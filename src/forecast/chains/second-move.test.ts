import { expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { fleetOf } from '../test-clusters.ts';

const vm: ScenarioVm = { name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate', marked: 'n1' };

function upgraded(
  change: Partial<ScenarioVm> = {},
  cluster: Partial<ScenarioCluster> = {},
  launcherImage: string | undefined = undefined,
) {
  const kubevirt = { methods: ['LiveMigrate', 'Evict'], ...cluster.kubevirt };
  const described = { nodes: ['n1', 'n2'], ...cluster, kubevirt, vms: [{ ...vm, ...change }] };
  const { vms, notes } = planUpgrade(
    fleetOf(clusterObjects(described)),
    { launcherImage },
    { now: 0 },
  ).status;
  return { ...vms[0], notes };
}

const TWICE =
  'default/a has an outdated launcher and live-migrates to another node for its mark, with the launcher of today, and once more for the new one';

it('a VM that was marked before an upgrade moves twice, and once if the mark is cleared', () => {
  const verdict = upgraded();
  expect(verdict).toMatchObject({ outcome: 'LiveMigrates', message: TWICE, moves: 2 });
  expect(verdict.remedies).toEqual([expect.stringMatching(/^Clear the mark.*move once\.$/)]);
  expect(verdict.evidence).toContainEqual(
    expect.objectContaining({ path: 'status.evacuationNodeName', value: 'n1' }),
  );
  expect(verdict.notes?.join()).toContain('and 1 more of VMs that move twice');
});

it.each([
  ['has no mark', { marked: undefined }],
  ['is marked for a node that it has left', { marked: 'n2' }],
  ['has a strategy that does not move it', { strategy: 'None' }],
])('one that %s moves once', (_, change) => {
  const { message, moves } = upgraded(change);
  expect(moves).toBeUndefined();
  expect(message).not.toContain('once more');
});

it('moves once where virt-controller is a new one already', () => {
  const args = ['virt-controller', '--launcher-image', 'L2'];
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'virt-controller', namespace: 'kubevirt' },
    spec: { template: { spec: { containers: [{ name: 'virt-controller', args }] } } },
  };
  expect(upgraded({}, { objects: [deployment] }, 'L2').moves).toBeUndefined();
  expect(upgraded({}, { objects: [deployment] }, 'L3').moves).toBe(2);
});

it('keeps its launcher where the node that it leaves is the only other one, and is cordoned', () => {
  const nodes = [{ name: 'n1', unschedulable: true }, 'n2'];
  const { outcome, message, moves } = upgraded({}, { nodes });
  expect([outcome, moves]).toEqual(['LiveMigrates', undefined]);
  expect(message).toContain('and then no other node takes it for the new launcher');
});

const migration: RawObject = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'move', uid: 'move' },
  spec: { vmiName: 'a' },
  status: { phase: 'Scheduling' },
};

/** The launcher that the migration has made. */
function targetPod(image: string): RawObject {
  const objects = clusterObjects({ nodes: [], vms: [{ ...vm, node: 'n2', launcher: image }] });
  const pod = objects.find(({ kind }) => kind === 'Pod') ?? {};
  const { labels, ...metadata } = pod.metadata as { labels: object };
  const target = { name: 'virt-launcher-a-target', uid: 'target' };
  return {
    ...pod,
    metadata: { ...metadata, ...target, labels: { ...labels, 'kubevirt.io/migrationJobUID': 'move' } },
  };
}

it.each([
  ['to a target that is not there yet', [], 2],
  ['to an old launcher', [targetPod('L1')], 2],
  ['to a new launcher', [targetPod('L2')], undefined],
])('a migration under way %s', (_, pods, moves) => {
  const objects = [migration, ...pods];
  const verdict = upgraded({ marked: undefined }, { objects }, 'L2');
  expect([verdict.outcome, verdict.moves]).toEqual(['LiveMigrates', moves]);
});

it.each([
  ['is evicted', ['Evict'], 'Restarts', 'unless that brings a new one: then it is evicted and shut down'],
  ['stays outdated', [], 'LiveMigrates', 'and then is left alone and its launcher stays outdated'],
])('after a migration under way a VM %s if the methods say so', (_, methods, outcome, says) => {
  const unprotected = { marked: undefined, strategy: 'None' };
  const verdict = upgraded(unprotected, { objects: [migration], kubevirt: { methods } });
  expect(verdict).toMatchObject({ outcome, message: expect.stringContaining(says) });
});

it('a migration under way that no node takes is given up, and the VM is left to its controller then', () => {
  const cluster = { nodes: ['n1'], objects: [migration], kubevirt: { methods: ['Evict' as const] } };
  const { outcome, message } = upgraded({ marked: undefined, strategy: 'External' }, cluster, 'L2');
  expect(outcome).toBe('HandedOver');
  expect(message).toContain('when that is given up, it is only marked for evacuation');
});
