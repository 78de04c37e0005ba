import { describe, expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { fleetOf } from '../test-clusters.ts';

const vm: ScenarioVm = { name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate', marked: 'n1' };

function upgraded(
  change: Partial<ScenarioVm> = {},
  cluster: Partial<ScenarioCluster> = {},
  launcherImage: string | undefined = undefined,
  external: 'unknown' | 'capk-v0.1.10' = 'unknown',
  others: readonly ScenarioVm[] = [],
) {
  const kubevirt = { methods: ['LiveMigrate', 'Evict'], ...cluster.kubevirt };
  const described = { nodes: ['n1', 'n2'], ...cluster, kubevirt, vms: [{ ...vm, ...change }, ...others] };
  const { vms, notes } = planUpgrade(
    fleetOf(clusterObjects(described)),
    { launcherImage },
    { now: 0, external },
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

it('a VM that moves first goes the way of its controller then', () => {
  const worker = { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'a' } };
  const cluster = { objects: [migration, worker], kubevirt: { methods: ['Evict' as const] } };
  const external = { marked: undefined, strategy: 'External' };
  const moved = 'and live-migrates to another node, with the launcher of today';
  expect(upgraded(external, cluster, 'L2', 'capk-v0.1.10')).toMatchObject({
    outcome: 'HandedOver',
    reason: 'CapkDeletesMigratable',
    message: expect.stringContaining(
      `${moved}, unless that brings a new one: then it is handed over to CAPK`,
    ),
  });
  expect(upgraded(external, cluster, 'L2')).toMatchObject({
    outcome: 'LiveMigrates',
    message: expect.stringContaining(
      `${moved}, and then is handed over to CAPK: it moves the VM or restarts it`,
    ),
  });
});

describe('a migration under way that no node takes', () => {
  const nowhere = { node: 'n1', nodeSelector: { tier: 'none' } };
  const given = (
    change: Partial<ScenarioVm>,
    cluster: Partial<ScenarioCluster> = {},
    vms: ScenarioVm[] = [],
  ) =>
    upgraded(
      { marked: undefined, strategy: 'None', ...change },
      {
        ...cluster,
        objects: [migration, ...(cluster.objects ?? [])],
        kubevirt: { methods: ['Evict'], ...cluster.kubevirt },
      },
      'L2',
      'unknown',
      vms,
    );
  const GIVEN_UP = 'has a migration under way that no node takes; when that is given up, it';

  it('is given up, and the VM is left to its controller then', () => {
    const { outcome, message } = given({ ...nowhere, strategy: 'External' });
    expect(outcome).toBe('HandedOver');
    expect(message).toContain(`${GIVEN_UP} is only marked for evacuation`);
  });

  it('is given up though the VM carries a mark, where nobody acts on that', () => {
    expect(given({ ...nowhere, marked: 'n1' })).toMatchObject({
      outcome: 'StaysOff',
      message: expect.stringContaining(`${GIVEN_UP} is evicted`),
    });
    expect(given({ ...nowhere, strategy: 'LiveMigrate', marked: 'n1' }).reason).toBe('NoNodeFits');
  });

  it('is never given up where volumes are plugged in', () => {
    expect(given({ ...nowhere, hotplugged: true })).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'NoNodeFits',
    });
  });

  it('may get room before that, where others leave some', () => {
    const nodes = [
      { name: 'n1', cpu: 8 },
      { name: 'n2', cpu: 8 },
    ];
    const leaver: ScenarioVm = { ...vm, name: 'b', node: 'n2', cpu: 5, marked: undefined, strategy: 'None' };
    const verdict = given({ cpu: 5 }, { nodes }, [{ ...leaver, runStrategy: 'Manual' }]);
    expect(verdict).toMatchObject({
      outcome: 'Restarts',
      message: expect.stringMatching(/; should default\/b leave room before that, it moves$/),
    });
    const stays = given({ cpu: 5 }, { nodes }, [{ ...leaver, launcher: 'L2' }]);
    expect(stays.message).not.toContain('leave room');
  });

  it('may begin once a quota has a place, only to be given up', () => {
    const quota = (pods: string) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few' },
      spec: { hard: { pods } },
      status: { hard: { pods }, used: { pods } },
    });
    const leaver: ScenarioVm = {
      ...vm,
      name: 'b',
      strategy: 'None',
      runStrategy: 'Manual',
      marked: undefined,
    };
    const verdict = given(nowhere, { objects: [quota('2')] }, [leaver]);
    expect(verdict).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'QuotaExceeded',
      otherwise: ['ShutDown'],
      message: expect.stringMatching(
        /; should default\/b leave the quota a place, no node takes its target; when that is given up, it is evicted and shut down/,
      ),
    });
    expect(
      given(nowhere, { objects: [quota('2')] }, [{ ...leaver, launcher: 'L2' }]).otherwise,
    ).toBeUndefined();
  });

  it('may never begin where another holds the only place for ever', () => {
    const holder: ScenarioVm = {
      ...vm,
      name: 'b',
      ...nowhere,
      hotplugged: true,
      strategy: 'None',
      marked: undefined,
    };
    const its = { ...migration, metadata: { name: 'hold', uid: 'hold' }, spec: { vmiName: 'b' } };
    const one = { migrations: { parallelMigrationsPerCluster: 1 } };
    const pending = { ...migration, status: { phase: 'Pending' } };
    const verdict = (change: Partial<ScenarioVm>, nodes: string[]) =>
      upgraded(
        { marked: undefined, strategy: 'None', ...change },
        { nodes, objects: [pending, its], kubevirt: { methods: ['Evict'], ...one } },
        'L2',
        'unknown',
        [holder],
      );
    const never =
      /; should default\/b, which no node takes and whose volumes are plugged in, hold what parallelMigrationsPerCluster allows before its migration begins, it stays/;
    expect(verdict(nowhere, ['n1'])).toMatchObject({
      otherwise: ['Stays'],
      message: expect.stringMatching(never),
    });
    expect(verdict({}, ['n1', 'n2'])).toMatchObject({
      outcome: 'Restarts',
      otherwise: ['Moves', 'Stays'],
      message: expect.stringMatching(never),
    });
  });
});
