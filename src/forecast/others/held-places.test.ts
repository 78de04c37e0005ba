import { describe, expect, it } from 'vitest';
import type { Behavior } from '../../decide/rules.ts';
import { aMigration } from '../../kubevirt/builders.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { big, pinned, small, upgraded } from './test-after-others.ts';

describe('where a migration that no node takes never gives up', () => {
  const stuck: ScenarioVm = {
    name: 'stuck',
    ...{ node: 'n2', migratable: true, strategy: 'LiveMigrate', hotplugged: true },
    ...pinned,
  };
  const one = { migrations: { parallelMigrationsPerCluster: 1 } };
  const other = (
    kubevirt: ScenarioCluster['kubevirt'],
    change: Partial<ScenarioVm> = {},
    behavior?: Behavior,
  ) =>
    upgraded(
      {
        kubevirt,
        vms: [
          { ...stuck, ...change },
          { ...big, cpu: 1, node: 'n1' },
        ],
      },
      behavior,
    ).get('big');

  it('others have a turn only before it', () => {
    expect(other(one)).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'PlacesHeld',
      message:
        'default/big has an outdated launcher and live-migrates to another node if its turn comes first: once default/stuck, which no node takes and whose volumes are plugged in, holds what parallelMigrationsPerCluster allows, it waits for as long as that migration is there',
      remedies: [
        'Let default/stuck find a node, or unplug the volumes, or raise parallelMigrationsPerCluster above 1.',
      ],
    });
    expect(other(one)?.evidence).toEqual(
      expect.arrayContaining([
        {
          object: 'KubeVirt',
          path: 'spec.configuration.migrations.parallelMigrationsPerCluster',
          value: 1,
        },
        { object: 'this action', path: 'migrations that never end', value: ['default/stuck'] },
      ]),
    );
  });

  it.each<[string, ScenarioCluster['kubevirt'], Partial<ScenarioVm>, Behavior]>([
    ['there are more places', { migrations: { parallelMigrationsPerCluster: 2 } }, {}, 'exact'],
    ['it gives up in between, for nothing is plugged in', one, { hotplugged: false }, 'exact'],
    ['Drover does not begin it', one, {}, 'intended'],
    ['it ends', one, { nodeSelector: undefined }, 'exact'],
    ['it leaves another node', { migrations: { parallelOutboundMigrationsPerNode: 1 } }, {}, 'exact'],
  ])('others have their turn where %s', (_, kubevirt, change, behavior) => {
    expect(other(kubevirt, change, behavior)?.outcome).toBe('LiveMigrates');
  });

  it.each(['exact', 'intended'] as const)('others have none behind one from before, %s', (behavior) => {
    const before = aMigration('move', 'stuck', 'default').phase('Pending').build();
    const vms: ScenarioVm[] = [
      { ...stuck, launcher: 'L0' },
      { ...big, cpu: 1, node: 'n1' },
    ];
    const held = upgraded({ kubevirt: one, vms, objects: [{ ...before }] }, behavior);
    expect(held.get('big')?.reason).toBe('PlacesHeld');
  });

  it('others may have none behind one whose target may be put out of reach of its volume', () => {
    const terms = [
      { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1', 'n2'] }] },
    ];
    const objects = [
      {
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'plugs-plugged' } },
        ...{ spec: { accessModes: ['ReadWriteMany'], volumeName: 'pv' }, status: { phase: 'Bound' } },
      },
      {
        ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' } },
        spec: { nodeAffinity: { required: { nodeSelectorTerms: terms } } },
      },
    ];
    const vms: ScenarioVm[] = [
      { ...stuck, name: 'plugs', nodeSelector: undefined },
      { ...big, cpu: 1 },
    ];
    const told = upgraded({ kubevirt: one, nodes: ['n1', 'n2', 'n3'], vms, objects });
    expect(told.get('big')).toMatchObject({
      outcome: 'LiveMigrates',
      message: expect.stringMatching(
        /; should the target of default\/plugs be put out of reach of a plugged volume, what parallelMigrationsPerCluster allows is held for ever, and it stays$/,
      ),
    });
    expect(upgraded({ nodes: ['n1', 'n2', 'n3'], vms, objects }).get('big')?.message).not.toContain('held');
  });

  it('one that a quota refuses leaves its place to others, with Drover too', () => {
    const status = { hard: { 'requests.cpu': '9' }, used: { 'requests.cpu': '7' } };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: status, status };
    const vms: ScenarioVm[] = [
      { ...big, name: 'refused' },
      { ...big, cpu: 1 },
    ];
    const told = (behavior: Behavior) =>
      upgraded({ kubevirt: one, vms, objects: [quota] }, behavior).get('big');
    expect(told('exact')?.outcome).toBe('LiveMigrates');
    expect(told('intended')?.outcome).toBe('LiveMigrates');
  });

  it('others have no turn where it waits for room that they leave', () => {
    const nodes = [
      { name: 'n1', cpu: 32 },
      { name: 'n2', cpu: 8 },
    ];
    const vms = [{ ...big, hotplugged: true }, small({ migratable: true, strategy: 'LiveMigrate' })];
    const held = upgraded({ kubevirt: one, nodes, vms });
    expect([...held.values()].map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
      'NeverCompletes WaitsForRoom',
      'NeverCompletes PlacesHeld',
    ]);
    expect(held.get('big')?.message).toMatch(/leaves room that no other VM takes before it$/);
    const free = upgraded({ nodes, vms });
    expect(free.get('big')?.outcome).toBe('LiveMigrates');
  });

  it.each<[string, Partial<ScenarioVm>, string]>([
    ['no other node is left', {}, 'PlacesHeld'],
    ['it is not marked', { marked: undefined }, 'LauncherOutdated'],
    ['its mark is of another node', { marked: 'n1' }, 'LauncherOutdated'],
    ['nothing is plugged in', { hotplugged: false }, 'LauncherOutdated'],
    ['it is up to date', { launcher: 'L2' }, 'LauncherOutdated'],
    ['it may go back', { node: 'n1', marked: 'n1' }, 'LauncherOutdated'],
  ])('others have none behind one that moves twice, if %s', (_, change, expected) => {
    const nodes = ['n1', { name: 'n2', unschedulable: true }, 'n3'].slice(0, change.node ? 3 : 2);
    const twice: ScenarioVm = {
      ...{
        name: 'twice',
        node: 'n2',
        marked: 'n2',
        migratable: true,
        hotplugged: true,
        strategy: 'LiveMigrate',
      },
      ...change,
    };
    const vms = [twice, { ...big, node: 'n2', cpu: 1 }];
    expect(upgraded({ kubevirt: one, nodes, vms }).get('big')?.reason).toBe(expected);
  });

  it('those of its node have none', () => {
    const kubevirt = { migrations: { parallelOutboundMigrationsPerNode: 2 } };
    const vms = [stuck, { ...stuck, name: 'stuck-too' }, { ...big, cpu: 1, node: 'n2' }];
    expect(upgraded({ kubevirt, vms }).get('big')).toMatchObject({
      reason: 'PlacesHeld',
      message: expect.stringContaining(
        'once default/stuck, default/stuck-too, which no node takes and whose volumes are plugged in, hold what parallelOutboundMigrationsPerNode allows, it waits for as long as those migrations are there',
      ),
    });
  });
});
