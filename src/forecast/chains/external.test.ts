import { describe, expect, it } from 'vitest';
import { aMigration } from '../../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { planDrain } from '../plans/drain.ts';
import { planEvict } from '../plans/evict.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

const vm: ScenarioVm = { name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate' };

const group = { group: 'workers' };

const workers = (name: string): RawObject[] => [
  { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name } },
  {
    apiVersion: 'v1beta1',
    kind: 'Machine',
    metadata: {
      ...{ name: `machine-${name}`, labels: group },
      ownerReferences: [{ kind: 'MachineSet', name: 'workers', controller: true }],
    },
    spec: { clusterName: 'tenant', infrastructureRef: { kind: 'KubevirtMachine', name } },
    status: { phase: 'Running', nodeRef: { name } },
  },
];

const check = (maxUnhealthy: string): RawObject => ({
  ...{ apiVersion: 'v1beta1', kind: 'MachineHealthCheck', metadata: { name: 'workers' } },
  spec: { clusterName: 'tenant', maxUnhealthy, selector: { matchLabels: group } },
});

describe('an outdated External worker that carries a mark before the upgrade', () => {
  const machine = { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'a' } };
  const upgraded = (change: Partial<ScenarioVm>, external: 'unknown' | 'none' | 'capk-v0.1.10') => {
    const cluster: ScenarioCluster = {
      kubevirt: { methods: ['LiveMigrate'] },
      nodes: ['n1', 'n2'],
      vms: [{ ...vm, strategy: 'External', marked: 'n1', ...change }],
      objects: [machine],
    };
    const options = { now: 0, external };
    return planUpgrade(fleetOf(clusterObjects(cluster)), { launcherImage: 'L2' }, options).status.vms[0];
  };

  it('is in the hands of CAPK, whatever the updater does', () => {
    expect(upgraded({}, 'capk-v0.1.10')).toMatchObject({
      outcome: 'HandedOver',
      reason: 'CapkDeletesMigratable',
      message: expect.stringMatching(
        /^default\/a carries a mark already and is handed over to CAPK v0.1.10, /,
      ),
    });
  });

  it.each<[string, Partial<ScenarioVm>, 'unknown' | 'none' | 'capk-v0.1.10']>([
    ['nobody acts on marks', {}, 'none'],
    ['it is not known who acts on marks', {}, 'unknown'],
    ['there is no mark', { marked: undefined }, 'capk-v0.1.10'],
    ['its strategy is another', { strategy: 'LiveMigrate' }, 'capk-v0.1.10'],
    ['CAPK overlooks it', { name: 'b' }, 'capk-v0.1.10'],
  ])('is updated where %s', (_, change, external) => {
    expect(upgraded(change, external)).toMatchObject({ outcome: 'LiveMigrates', reason: 'LauncherOutdated' });
  });

  it('is left alone where it is up to date', () => {
    expect(upgraded({ launcher: 'L2' }, 'capk-v0.1.10')?.outcome).toBe('Untouched');
  });
});

const SEEN_ENDED =
  '; should CAPK look at it when its guest has ended and its VMI is not gone yet, its Machine fails and is replaced, and the VM goes with it';

describe('a marked VM of another strategy whose Machine CAPK gives up', () => {
  const asked = (
    maxUnhealthy: string,
    others: readonly Partial<ScenarioVm>[] = [],
    change: Partial<ScenarioVm> = {},
    external: 'capk-v0.1.10' | 'capk-backport' = 'capk-backport',
  ) => {
    const pinned: ScenarioVm = { ...vm, migratable: 'DisksNotLiveMigratable', marked: 'n1', ...change };
    const beside = others.map((change, i) => ({ ...pinned, name: `b${i}`, ...change }));
    const objects = clusterObjects({
      nodes: ['n1', 'n2'],
      vms: [pinned, ...beside],
      objects: [check(maxUnhealthy), ...workers('a'), ...beside.flatMap(({ name }) => workers(name))],
    });
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
    return planDrain(fleetOf(objects), question, { now: 0, external }).status.vms[0];
  };

  it('goes with it, whatever the eviction is answered', () => {
    expect(asked('100%')).toMatchObject({
      outcome: 'HandedOver',
      reason: 'MachineReplaced',
      answer: { code: 429 },
      message:
        'default/a carries a mark already and is handed over to CAPK, which leaves the VMI alone, since its own spec does not say External, and marks its Machine as failed for good: MachineHealthCheck workers has Machine machine-a replaced by a new one',
    });
  });

  it.each<[string, Partial<ScenarioVm>, string, boolean]>([
    ['is a Once VM', { runStrategy: 'Once' }, '100%', true],
    ['is a RerunOnFailure VM', { runStrategy: 'RerunOnFailure' }, '100%', true],
    ['is an Always VM', { runStrategy: 'Always' }, '100%', false],
    ['is of a group that replaces none', { runStrategy: 'Once' }, '50%', false],
  ])('may go with it though it can migrate, if it %s', (_, change, maxUnhealthy, expected) => {
    const external = 'capk-v0.1.10';
    const verdict = asked(maxUnhealthy, [], { migratable: true, strategy: 'External', ...change }, external);
    expect(verdict?.reason).toBe('CapkDeletesMigratable');
    expect(verdict?.message.endsWith(SEEN_ENDED)).toBe(expected);
  });

  it.each<[string, string, readonly Partial<ScenarioVm>[], string]>([
    ['alone, of which half may be gone', '50%', [], 'Blocks'],
    ['beside one that is well', '50%', [{ marked: undefined }], 'HandedOver'],
    ['beside one that is marked too, on another node', '50%', [{ node: 'n2', marked: 'n2' }], 'Blocks'],
    ['beside one that can migrate', '50%', [{ migratable: true }], 'HandedOver'],
    ['beside one that the drain marks', '50%', [{ marked: undefined, strategy: 'External' }], 'Blocks'],
    [
      'beside one that no drain marks',
      '50%',
      [{ marked: undefined, strategy: 'External', node: 'n2' }],
      'HandedOver',
    ],
  ])('%s', (_, maxUnhealthy, others, outcome) => {
    expect(asked(maxUnhealthy, others)?.outcome).toBe(outcome);
  });
});

describe('an External worker that the backport of CAPK is to migrate', () => {
  const machine = { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'a' } };
  const handed = (change: Partial<ScenarioVm>, cluster: Partial<ScenarioCluster> = {}) => {
    const objects = clusterObjects({
      nodes: ['n1', 'n2'],
      ...cluster,
      vms: [{ ...vm, strategy: 'External', ...change }, ...(cluster.vms ?? [])],
      objects: [machine, ...(cluster.objects ?? [])],
    });
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
    const { status } = planDrain(fleetOf(objects), question, { now: 0, external: 'capk-backport' });
    return status.vms.find(({ name }) => name === 'a');
  };
  const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n1' } };
  const tries = 'default/a is handed over to CAPK, which tries to live-migrate it, though';
  const deletes = "CAPK drains the guest's node and deletes the VMI, and the VM";
  const full = { hard: { pods: '1' }, used: { pods: '1' } };
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: full,
    status: full,
  };

  it.each<[string, string, Partial<ScenarioVm>, Partial<ScenarioCluster>, string]>([
    [
      'moves',
      'CapkMigrates',
      {},
      {},
      `default/a is handed over to CAPK, which live-migrates it; should that fail, ${deletes} restarts`,
    ],
    [
      'fits nowhere',
      'CapkMigrationFails',
      pinned,
      {},
      `${tries} no other node can take it; when it gives up, ${deletes} restarts`,
    ],
    [
      'fits nowhere, and nothing starts it again',
      'CapkMigrationFails',
      { ...pinned, runStrategy: 'RerunOnFailure' },
      {},
      `${tries} no other node can take it; when it gives up, ${deletes} stays off: RerunOnFailure does not start a VM again whose VMI was deleted`,
    ],
    [
      'has no place among migrations',
      'CapkMigrationFails',
      {},
      { kubevirt: { migrations: { parallelMigrationsPerCluster: 0 } } },
      `${tries} parallelMigrationsPerCluster lets no migration begin; when it gives up, ${deletes} restarts`,
    ],
    [
      'has no room now',
      'CapkMayMigrate',
      { cpu: 4 },
      { nodes: ['n1', { name: 'n2', cpu: 5 }], vms: [{ name: 'b', node: 'n2', cpu: 4 }] },
      `${tries} no other node has room for it now; should that fail, ${deletes} restarts`,
    ],
    [
      'has no room in a quota',
      'CapkMayMigrate',
      {},
      { objects: [quota] },
      `${tries} a quota has no room for its target now; should that fail, ${deletes} restarts`,
    ],
  ])('%s', (_, reason, change, cluster, message) => {
    expect(handed(change, cluster)).toMatchObject({ outcome: 'HandedOver', reason, message });
  });

  it('is told what would help', () => {
    expect(handed(pinned)?.remedies[0]).toMatch(/^Widen its node selector/);
    const kubevirt = { migrations: { parallelOutboundMigrationsPerNode: 0 } };
    expect(handed({}, { kubevirt })?.remedies).toEqual([
      'Set parallelOutboundMigrationsPerNode of the KubeVirt CR to more than 0.',
    ]);
  });
});

it('a marked VM of another strategy may go with its Machine, should that fail before those that are evicted too', () => {
  const pinned: ScenarioVm = { ...vm, migratable: 'DisksNotLiveMigratable' };
  const objects = clusterObjects({
    nodes: ['n1', 'n2'],
    vms: [
      { ...pinned, marked: 'n1' },
      { ...pinned, name: 'b', strategy: 'External' },
    ],
    objects: [check('50%'), ...workers('a'), ...workers('b')],
  });
  const asked = (vms: readonly string[]) =>
    planEvict(fleetOf(objects), { vms }, { now: 0, external: 'capk-backport' }).status.vms[0];
  expect(asked(['default/a', 'default/b'])).toMatchObject({ outcome: 'Blocks', otherwise: ['Replaced'] });
  expect(asked(['default/a'])).toMatchObject({ outcome: 'HandedOver', reason: 'MachineReplaced' });
});

it.each([
  ['Once', 'capk-v0.1.10', true],
  ['Always', 'capk-v0.1.10', false],
  ['Once', 'none', false],
] as const)(
  'a %s worker that is being deleted may be replaced meanwhile: %s',
  (runStrategy, external, expected) => {
    const objects = clusterObjects({
      kubevirt: { methods: ['LiveMigrate', 'Evict'] },
      nodes: ['n1', 'n2'],
      vms: [{ ...vm, runStrategy, deleting: true }],
      objects: [check('100%'), ...workers('a')],
    });
    const fleet = fleetOf(objects);
    const options = { now: 0, external };
    const forecasts = [
      planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: ['n1'] }, options),
      planUpgrade(fleet, { launcherImage: 'L2' }, options),
    ];
    for (const { status } of forecasts) expect(status.vms[0]?.message.includes(SEEN_ENDED)).toBe(expected);
  },
);

describe('a worker whose upgrade evicts others of its group', () => {
  const upgraded = (
    other: Partial<ScenarioVm>,
    evictionStrategy?: string,
    change: Partial<ScenarioVm> = {},
  ) => {
    const strategy = evictionStrategy === undefined ? 'External' : undefined;
    const pinned: ScenarioVm = { ...vm, migratable: 'DisksNotLiveMigratable', strategy };
    const objects = clusterObjects({
      kubevirt: { methods: ['LiveMigrate', 'Evict'], evictionStrategy },
      nodes: ['n1', 'n2'],
      vms: [
        { ...pinned, ...change },
        { ...pinned, name: 'b', ...other },
      ],
      objects: [check('50%'), ...workers('a'), ...workers('b')],
    });
    const options = { now: 0, external: 'capk-backport' as const };
    return planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, options).status.vms[0];
  };

  it('is not replaced where too many fail, unless its Machine fails first', () => {
    expect(upgraded({})).toMatchObject({
      reason: 'RemediationHeldBack',
      otherwise: ['Replaced'],
      message: expect.stringMatching(/; should its Machine fail before those of others do, it is replaced, /),
    });
    expect(upgraded({ phase: 'Scheduling', launcher: '' })?.reason).toBe('RemediationHeldBack');
    expect(upgraded({}, 'External')).toMatchObject({ reason: 'CapkOverlooksMark', otherwise: ['Replaced'] });
  });

  it.each<[string, Partial<ScenarioVm>]>([
    ['moves', { migratable: true }],
    ['is up to date', { launcher: 'L2' }],
    ['is no External one', { strategy: 'None' }],
  ])('is replaced where the other %s', (_, other) => {
    expect(upgraded(other)?.reason).toBe('MachineReplaced');
  });

  it('does not count as one that fails beside itself, where it is starting', () => {
    const starting = upgraded({ launcher: 'L2' }, undefined, { phase: 'Scheduling', launcher: '' });
    expect(starting?.message).toMatch(
      /once it runs, it is handed over .* has Machine machine-a replaced by a new one$/,
    );
  });
});

describe('a VM that CAPK is to migrate while somebody else’s migration of it is under way', () => {
  const asked = (migrationState?: object, annotations?: Record<string, string>) => {
    const machine = { apiVersion: 'v1alpha1', kind: 'KubevirtMachine', metadata: { name: 'a', annotations } };
    const pending = { ...aMigration('move', 'a', 'default').phase('Pending').build() };
    const marked: ScenarioVm = { ...vm, strategy: 'External', marked: 'n1' };
    const objects = clusterObjects({ nodes: ['n1', 'n2'], vms: [marked], objects: [machine, pending] });
    for (const object of objects)
      if (object.kind === 'VirtualMachineInstance')
        Object.assign(object.status as object, { migrationState });
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
    return planDrain(fleetOf(objects), question, { now: 0, external: 'capk-backport' }).status.vms[0];
  };

  it('may be deleted, for virt-api refuses CAPK’s own', () => {
    expect(asked()).toMatchObject({
      outcome: 'HandedOver',
      reason: 'CapkMayMigrate',
      message: expect.stringMatching(
        /which tries to live-migrate it, though virt-api lets no migration in beside the one that is under way; should that fail, CAPK drains the guest's node and deletes the VMI, .*; should the migration that is under way be done before, it moves$/,
      ),
    });
    expect(asked({ completed: true })?.reason).toBe('CapkMayMigrate');
  });

  it('moves where CAPK waits for it, handed to the nodes or its own', () => {
    expect(asked({ sourceNode: 'n1' })?.reason).toBe('CapkMigrates');
    const submitted = { 'capk.cluster.x-k8s.io/migration-submitted': '2026-03-01T12:10:00Z' };
    expect(asked(undefined, submitted)?.reason).toBe('CapkMigrates');
  });
});
