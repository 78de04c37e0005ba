import { describe, expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../scenario/schema.ts';
import { planDrain } from './drain.ts';
import type { VmVerdict } from './forecast.ts';
import { DRAIN_DEFAULTS } from './questions.ts';
import { fleetOf, poolBudget } from './test-clusters.ts';
import { planUpgrade } from './upgrade.ts';

type Behaviour = 'exact' | 'intended';

function upgraded(cluster: Partial<ScenarioCluster>, behavior: Behaviour = 'exact'): Map<string, VmVerdict> {
  const kubevirt = { methods: ['LiveMigrate', 'Evict'], ...cluster.kubevirt };
  const objects = clusterObjects({ nodes: ['n1', 'n2'], vms: [], ...cluster, kubevirt });
  const options = { now: 0, behavior };
  const { status } = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, options);
  return new Map(status.vms.map((verdict) => [verdict.name, verdict]));
}

function drained(vms: readonly ScenarioVm[], objects: RawObject[]): Map<string, VmVerdict> {
  const cluster = clusterObjects({ nodes: ['n1', 'n2'], vms: [...vms], objects });
  const { status } = planDrain(fleetOf(cluster), { ...DRAIN_DEFAULTS, nodes: ['n1'] }, { now: 0 });
  return new Map(status.vms.map((verdict) => [verdict.name, verdict]));
}

const big: ScenarioVm = { name: 'big', node: 'n1', migratable: true, strategy: 'LiveMigrate', cpu: 6 };
const small = (change: Partial<ScenarioVm>): ScenarioVm => ({ name: 'small', node: 'n2', cpu: 6, ...change });
const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n2' } };

describe('a VM that no node has room for', () => {
  const nodes = [
    { name: 'n1', cpu: 64 },
    { name: 'n2', cpu: 8 },
  ];
  const room = (change: Partial<ScenarioVm>, kubevirt: ScenarioCluster['kubevirt'] = {}) =>
    upgraded({ kubevirt, nodes, vms: [big, small(change)] }).get('big');

  it('waits for one that leaves in the same roll-out', () => {
    expect(room({ migratable: true })).toMatchObject({
      outcome: 'LiveMigrates',
      reason: 'WaitsForRoom',
      message:
        'default/big has an outdated launcher and cannot migrate yet: no other node has room for it now: InsufficientResources (n2), SourceNode (n1); it goes as soon as default/small leaves room',
      remedies: ['Make room on n2, or add a node.'],
    });
    expect(room({ migratable: true })?.evidence).toContainEqual({
      object: 'this action',
      path: 'what leaves',
      value: ['default/small'],
    });
  });

  it.each<[string, Partial<ScenarioVm>]>([
    ['is shut down and comes back', { strategy: 'None', migratable: 'DisksNotLiveMigratable' }],
    [
      'is shut down for good',
      { strategy: 'None', migratable: 'DisksNotLiveMigratable', runStrategy: 'Manual' },
    ],
    [
      'may stay off',
      { strategy: 'None', migratable: 'DisksNotLiveMigratable', runStrategy: 'RerunOnFailure' },
    ],
  ])('waits for one that %s', (_, change) => {
    expect(room(change)?.reason).toBe('WaitsForRoom');
  });

  it.each<[string, Partial<ScenarioVm>, ScenarioCluster['kubevirt']]>([
    ['refuses', { strategy: 'LiveMigrate', migratable: 'DisksNotLiveMigratable' }, {}],
    ['is pinned', { migratable: true, ...pinned }, {}],
    ['is up to date', { migratable: true, launcher: 'L2' }, {}],
    ['is handed over to nobody knows whom', { strategy: 'External', migratable: 'No' }, {}],
  ])('does not wait for one that %s', (_, change, kubevirt) => {
    expect(room(change, kubevirt)).toMatchObject({ outcome: 'NeverCompletes', reason: 'NoRoom' });
  });

  it('does not wait for one that leaves too little', () => {
    const vms = [
      big,
      small({ ...pinned, name: 'stays', migratable: true }),
      small({ migratable: true, cpu: 1 }),
    ];
    expect(upgraded({ nodes, vms }).get('big')).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'NoRoom',
    });
  });

  it('waits for one that waits itself', () => {
    const chain = [
      { name: 'n1', cpu: 7 },
      { name: 'n2', cpu: 8 },
      { name: 'n3', cpu: 7 },
    ];
    const labelled = chain.map((node, index) => ({ ...node, labels: { to: ['a', 'b', 'b'][index] ?? '' } }));
    const vms = [
      { ...big, name: 'first', node: 'n3', nodeSelector: { to: 'b' } },
      { ...small({ name: 'second', migratable: true, cpu: 6 }) },
      { ...big, name: 'third', node: 'n1', cpu: 2 },
    ];
    const verdicts = upgraded({ nodes: labelled, vms });
    expect([...verdicts].map(([name, { reason }]) => [name, reason])).toEqual([
      ['first', 'WaitsForRoom'],
      ['second', 'WaitsForRoom'],
      ['third', 'LauncherOutdated'],
    ]);
  });
});

describe('a VM whose quota is used up', () => {
  const quota = (pods: number) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'quota' },
    spec: { hard: { pods: String(pods) } },
    status: { hard: { pods: String(pods) }, used: { pods: '2' } },
  });
  const moves: ScenarioVm = { name: 'moves', node: 'n1', migratable: true, strategy: 'LiveMigrate' };
  const beside = (change: Partial<ScenarioVm>) =>
    drained(
      [moves, { name: 'other', node: 'n1', migratable: 'No', strategy: 'None', ...change }],
      [quota(2)],
    ).get('moves');

  it('goes once one stays off', () => {
    expect(beside({ runStrategy: 'Manual' })).toMatchObject({
      outcome: 'LiveMigrates',
      reason: 'WaitsForRoom',
      message: expect.stringMatching(
        /^default\/moves is marked for evacuation and cannot migrate yet: exceeded quota: .*; it goes as soon as default\/other leaves room$/,
      ),
    });
  });

  it('may go once one is away that may come back first', () => {
    expect(beside({ runStrategy: 'RerunOnFailure' })).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'WaitsForRoom',
      message: expect.stringMatching(
        /; it goes as soon as default\/other leaves room that no other VM takes before it$/,
      ),
    });
  });

  it('may go while one is away that comes back', () => {
    const other: ScenarioVm = { ...moves, name: 'other', migratable: 'No', strategy: 'None' };
    const full = quota(3);
    full.status.used.pods = '3';
    expect(beside({})).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'QuotaExceeded',
      message: expect.stringMatching(
        / cannot migrate: exceeded quota: .*; should it take the place of default\/other while that is shut down, it goes$/,
      ),
    });
    expect(drained([moves, other, { ...other, name: 'third' }], [full]).get('moves')?.message).toMatch(
      /; should it take the place of default\/other, default\/third while those are shut down, it goes$/,
    );
    expect(beside({ strategy: 'External' })?.message).not.toContain('shut down');
  });

  it('may go where a budget lets another one stay off', () => {
    const labels = { pool: 'web' };
    const guarded = {
      ...moves,
      name: 'other',
      migratable: 'No',
      strategy: 'None',
      runStrategy: 'Manual',
      labels,
    } as const;
    const beside: ScenarioVm = {
      name: 'beside',
      node: 'n2',
      migratable: 'No',
      strategy: 'LiveMigrate',
      labels,
    };
    const budget = poolBudget({ minAvailable: 1 }, 'guard');
    const used = quota(3);
    used.status.used.pods = '3';
    expect(drained([moves, guarded, beside], [used, budget]).get('moves')).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'WaitsForRoom',
    });
  });

  it('may go where others try for ever', () => {
    const vms = [
      moves,
      { ...moves, name: 'nowhere', nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
      { ...moves, name: 'other', migratable: 'No', strategy: 'None', runStrategy: 'Manual' } as const,
    ];
    const full = quota(3);
    full.status.used.pods = '3';
    expect(drained(vms, [full]).get('moves')).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'WaitsForRoom',
    });
  });

  it('has none for its attachment pod either', () => {
    const one = (used: string, hotplugged: boolean) => {
      const full = quota(4);
      full.status.used.pods = used;
      return drained([{ ...moves, hotplugged }], [full]).get('moves');
    };
    expect(one('2', true)?.reason).toBe('Evacuates');
    expect(one('3', false)?.reason).toBe('Evacuates');
    expect(one('3', true)?.outcome).toBe('NeverCompletes');
  });

  it('waits for the attachment pod of a VM that a drain evicts', () => {
    const plugged: Partial<ScenarioVm> = { migratable: 'No', strategy: 'LiveMigrate', hotplugged: true };
    expect(beside(plugged)).toMatchObject({
      reason: 'WaitsForRoom',
      message: expect.stringMatching(
        /; it goes as soon as pod default\/hp-volume-other leaves room that no other VM takes before it$/,
      ),
    });
    expect(beside({ ...plugged, node: 'n2' })?.reason).toBe('QuotaExceeded');
  });

  it.each<[string, Partial<ScenarioVm>]>([
    [
      'moves',
      { migratable: true, strategy: 'LiveMigrate', nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
    ],
    ['is refused', { strategy: 'LiveMigrate' }],
  ])('does not wait for one that %s', (_, change) => {
    expect(beside(change)).toMatchObject({ outcome: 'NeverCompletes', reason: 'QuotaExceeded' });
  });
});

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
    behavior?: Behaviour,
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

  it.each<[string, ScenarioCluster['kubevirt'], Partial<ScenarioVm>, Behaviour]>([
    ['there are more places', { migrations: { parallelMigrationsPerCluster: 2 } }, {}, 'exact'],
    ['it gives up in between, for nothing is plugged in', one, { hotplugged: false }, 'exact'],
    ['Drover does not begin it', one, {}, 'intended'],
    ['it ends', one, { nodeSelector: undefined }, 'exact'],
    ['it leaves another node', { migrations: { parallelOutboundMigrationsPerNode: 1 } }, {}, 'exact'],
  ])('others have their turn where %s', (_, kubevirt, change, behavior) => {
    expect(other(kubevirt, change, behavior)?.outcome).toBe('LiveMigrates');
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

describe('batches that some VMs are refused in', () => {
  const refuses = (name: string): ScenarioVm => ({
    name,
    node: 'n1',
    migratable: 'No',
    strategy: 'LiveMigrate',
  });
  const evicted: ScenarioVm = { name: 'evicted', node: 'n1', migratable: 'No', strategy: 'None' };
  const planned = (batchEvictionSize: number, behavior: Behaviour) => {
    const kubevirt = { methods: ['Evict'], batchEvictionSize };
    const vms = [refuses('a'), refuses('b'), evicted, { ...evicted, name: 'too' }];
    const objects = clusterObjects({ nodes: ['n1', 'n2'], kubevirt, vms });
    const { status } = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0, behavior });
    const batches = status.vms.map(({ batch }) => batch);
    return { note: status.notes.find((text) => text.startsWith('4 evictions')), batches };
  };

  it.each<[number, Behaviour, string]>([
    [
      1,
      'exact',
      '4 evictions, 1 in a batch, a batch every 60 s: at least 4 batches. 2 VMs refused each time are tried again every 60 s. Who is in a batch is chance, and refused VMs take places in it, so the others may take longer.',
    ],
    [
      1,
      'intended',
      '4 evictions, 1 in a batch, a batch every 60 s: at least 2 batches. 2 VMs refused each time are tried again every 60 s. Refused VMs leave their places to the others.',
    ],
    [
      2,
      'intended',
      '4 evictions, all in the first batch (2 every 60 s). 2 VMs refused each time are tried again every 60 s.',
    ],
    [
      4,
      'exact',
      '4 evictions, all in the first batch (4 every 60 s). 2 VMs refused each time are tried again every 60 s.',
    ],
  ])('of %i, %s', (size, behavior, expected) => {
    expect(planned(size, behavior).note).toBe(expected);
  });

  it.each<[number, Behaviour, number | undefined]>([
    [2, 'exact', undefined],
    [2, 'intended', 1],
    [1, 'intended', undefined],
    [4, 'exact', 1],
  ])('of %i, %s: all in the same one, or by chance', (size, behavior, batch) => {
    expect(planned(size, behavior).batches).toEqual([batch, batch, batch, batch]);
  });
});
