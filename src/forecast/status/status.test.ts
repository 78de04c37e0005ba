import { describe, expect, it } from 'vitest';
import { Fleet, type Kind } from '../../fleet/fleet.ts';
import { aKubeVirt, aMigration, aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { rolloutStatus, type StatusQuestion } from './status.ts';

const NOW = 1_772_366_400_000;
const agoAt = (seconds: number): string => formatInstant(NOW - seconds * 1000);
const NEW = 'launcher:v2';
const BOTH = aKubeVirt().methods('LiveMigrate', 'Evict').batches(2, '1m').build();
const old = (name = 'db') => aVmi(name).on('n1').launcher('launcher:v1').strategy('LiveMigrate').migratable();
const stubborn = (name = 'db') =>
  aVmi(name).on('n1').launcher('launcher:v1').strategy('None').migratable('False');
const current = (name = 'db') => old(name).launcher(NEW);

interface Cluster {
  readonly kubevirt?: KubeVirt;
  readonly vmis: readonly Vmi[];
  readonly others?: readonly object[];
  readonly question?: StatusQuestion;
  readonly behavior?: 'exact' | 'intended';
}

/** The status of a cluster with two roomy nodes, and a launcher pod for each VMI. */
function statusOf({
  kubevirt = BOTH,
  vmis,
  others = [],
  question = { launcherImage: NEW },
  behavior,
}: Cluster) {
  const fleet = new Fleet();
  const put = (object: object) => fleet.apply((object as { kind: Kind }).kind, object as never);
  for (const node of ['n1', 'n2'])
    put(
      aNode(node)
        .labelled('kubevirt.io/schedulable', 'true')
        .offering({ memory: '64Gi', cpu: '64', pods: '500' })
        .build(),
    );
  put(kubevirt);
  for (const vmi of vmis) {
    put(vmi);
    put(aPod(`virt-launcher-${vmi.metadata.name}-1`).on('n1').launcherOf(vmi).asking({ cpu: '1m' }).build());
  }
  for (const other of others) put(other);
  return rolloutStatus(fleet, question, { now: NOW, behavior });
}

function onlyOf(cluster: Cluster) {
  const { status } = statusOf(cluster);
  const [vm] = status.vms;
  return `${vm?.state} ${vm?.reason}: ${vm?.message}`;
}

describe('how it stands with one VM', () => {
  const migration = aMigration('m', 'db').meta({ uid: 'u', creationTimestamp: agoAt(60) });
  const going = { ...old().build(), metadata: { ...old().build().metadata, deletionTimestamp: agoAt(1) } };

  it.each<[string, Cluster]>([
    ['Done UpToDate: shop/db is up to date', { vmis: [current().build()] }],
    ['Moving Leaving: shop/db is shutting down', { vmis: [going] }],
    [
      'Moving Leaving: shop/db is shutting down',
      {
        vmis: [],
        others: [
          old().build(),
          aPod('virt-launcher-db-1').on('n1').launcherOf(old().build()).phase('Succeeded').build(),
        ],
      },
    ],
    [
      `Moving Migrating: shop/db migrates to n2 since ${agoAt(30)}`,
      {
        vmis: [
          old()
            .migrationState({ startTimestamp: agoAt(30), targetNode: 'n2' })
            .build(),
        ],
      },
    ],
    [
      `Moving Migrating: shop/db migrates since ${agoAt(30)}`,
      {
        vmis: [
          old()
            .migrationState({ startTimestamp: agoAt(30) })
            .build(),
        ],
      },
    ],
    [
      'Moving MigrationCreated: shop/db has migration m, Scheduling',
      { vmis: [old().build()], others: [migration.phase('Scheduling').build()] },
    ],
    [
      'Moving MigrationCreated: shop/db has migration m, not looked at yet',
      { vmis: [old().build()], others: [aMigration('m', 'db').build()] },
    ],
    [
      'Moving LauncherImageUnknown: shop/db has just arrived: which launcher it runs is not known yet',
      { vmis: [aVmi('db').on('n1').build()] },
    ],
    [
      'Moving ChangeWithdrawn: shop/db is up to date; the migration that it does not need any more is taken back',
      {
        vmis: [current().build()],
        others: [aMigration('m', 'db').annotated('kubevirt.io/workloadUpdateMigration', '').build()],
      },
    ],
    [
      'Waiting WaitsForTurn: shop/db gets its migration with one of the next passes',
      { vmis: [old().build()] },
    ],
    [
      'Waiting WaitsForBatch: shop/db waits to be evicted: 2 at once, every 60 s',
      { vmis: [stubborn().build()] },
    ],
    [
      'Waiting LastMigrationFailed: shop/db waits for another migration: m has failed: no room',
      {
        vmis: [old().build()],
        others: [
          aMigration('before', 'db')
            .meta({ creationTimestamp: agoAt(90) })
            .phase('Succeeded')
            .build(),
          migration
            .phase('Failed')
            .status({ phase: 'Failed', migrationState: { failureReason: 'no room' } })
            .build(),
        ],
      },
    ],
    [
      'Waiting GateDeploymentInProgress: shop/db waits until KubeVirt is rolled out: status.observedDeploymentID is same, status.targetDeploymentID is new',
      {
        kubevirt: aKubeVirt().methods('LiveMigrate').status({ targetDeploymentID: 'new' }).build(),
        vmis: [old().build()],
      },
    ],
    [
      'Stuck NoMethodApplies: shop/db is left alone and its launcher stays outdated: no method is set',
      { kubevirt: aKubeVirt().build(), vmis: [old().build()] },
    ],
  ])('%s', (expected, cluster) => {
    expect(onlyOf(cluster)).toBe(expected);
  });

  it('knows what blocks for ever', () => {
    const blocked = stubborn().strategy('LiveMigrate').build();
    const { status } = statusOf({ vmis: [blocked] });
    expect(status.vms).toMatchObject([{ state: 'Stuck', outcome: 'Blocks' }]);
    expect(status.vms[0]?.evidence).not.toEqual([]);
  });

  it.each([
    ['exact', 'WaitsForTurn'],
    ['intended', 'WaitsForPlace'],
  ] as const)(
    'counts pending migrations against the cap as KubeVirt is meant to, in %s not',
    (behavior, reason) => {
      const others = Array.from({ length: 5 }, (_, i) => aMigration(`m${i}`, `other${i}`).build());
      const { status } = statusOf({ vmis: [old().build()], others, behavior });
      expect(status.vms).toMatchObject([{ reason }]);
    },
  );

  it('says what the cap is', () => {
    const others = Array.from({ length: 5 }, (_, i) =>
      aMigration(`m${i}`, `other${i}`).phase('Running').build(),
    );
    expect(onlyOf({ vmis: [old().build()], others })).toBe(
      'Waiting WaitsForPlace: shop/db waits to migrate: the cluster has as many migrations as it may, 5',
    );
  });
});

describe('the whole roll-out', () => {
  it('counts, sorts, and leaves out what does not run', () => {
    const vmis = [old('c').build(), current('a').build(), current('b').build()];
    const others = [aVmi('starts').phase('Scheduling').build(), aVmi('gone').phase('Succeeded').build()];
    const { kind, spec, status } = statusOf({ vmis, others });
    expect([kind, spec]).toEqual([
      'RolloutStatus',
      {
        kubevirtVersion: '1.9',
        behavior: 'exact',
        launcherImage: NEW,
        workloadUpdateMethods: ['LiveMigrate', 'Evict'],
        at: '2026-03-01T12:00:00Z',
      },
    ]);
    expect(status).toMatchObject({
      counts: { Done: 2, Moving: 0, Waiting: 1, Stuck: 0 },
      gate: { open: true, reason: 'GateOpen' },
      notRunning: 1,
      percentDone: 66,
      pace: undefined,
      secondsLeft: undefined,
    });
    expect(status.vms.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('is the same whatever the order of the objects', () => {
    const vmis = [old('c').build(), current('a').build(), stubborn('b').build(), old('d').build()];
    const others = ['c', 'd', 'c', 'c'].map((vmi, i) =>
      aMigration(`m${i}`, vmi)
        .meta({ creationTimestamp: agoAt(60 - (i % 3)) })
        .phase(i >= 2 ? 'Running' : 'Failed')
        .build(),
    );
    const reversed = statusOf({ vmis: [...vmis].reverse(), others: [...others].reverse() });
    expect(reversed).toEqual(statusOf({ vmis, others }));
    expect(reversed.status.vms.map(({ reason }) => reason)).toEqual([
      'UpToDate',
      'WaitsForBatch',
      'MigrationCreated',
      'LastMigrationFailed',
    ]);
  });

  it('has nothing left to do without VMs', () => {
    expect(statusOf({ vmis: [] }).status).toMatchObject({
      percentDone: 100,
      secondsLeft: 0,
      endsAt: agoAt(0),
    });
  });

  it('tells the time by the pace of migrations and by batches', () => {
    const ended = (name: string, seconds: number) =>
      aMigration(name, name)
        .meta({ uid: name })
        .phase('Succeeded')
        .status({ phase: 'Succeeded', migrationState: { endTimestamp: agoAt(seconds) } })
        .build();
    const others = [ended('x', 60), ended('y', 30)];
    const left = (vmis: Vmi[]) => statusOf({ vmis, others }).status;
    expect(left([old('a').build(), old('b').build()])).toMatchObject({
      pace: { migrations: 2, perMinute: 1 },
      secondsLeft: 120,
      endsAt: agoAt(-120),
    });
    expect(left(['a', 'b', 'c'].map((name) => stubborn(name).build())).secondsLeft).toBe(120);
    expect(left([stubborn('a').strategy('LiveMigrate').build()]).secondsLeft).toBe(0);
  });

  it('tells no time while the updater may not act', () => {
    const kubevirt = aKubeVirt().methods('Evict').status({ phase: 'Deploying' }).build();
    const { status } = statusOf({ kubevirt, vmis: [stubborn().build()] });
    expect([status.gate, status.secondsLeft, status.endsAt]).toEqual([
      { open: false, reason: 'GateNotDeployed' },
      undefined,
      undefined,
    ]);
  });

  it("goes by Drover's own strategy where it is given", () => {
    const kubevirt = aKubeVirt().build();
    const strategy = {
      kind: 'own' as const,
      methods: ['Evict'],
      batchEvictionSize: 1,
      batchEvictionIntervalSeconds: 90,
    };
    const { spec, status } = statusOf({
      kubevirt,
      vmis: [stubborn().build()],
      question: { launcherImage: NEW, strategy },
    });
    expect(spec.workloadUpdateMethods).toEqual(['Evict']);
    expect(status.vms[0]?.message).toBe('shop/db waits to be evicted: 1 at once, every 90 s');
  });

  it('goes by the labels of VMIs where nothing names the image, and by the Deployment where it does', () => {
    const vmis = [old('a').outdated().build(), old('b').build()];
    expect(statusOf({ vmis, question: {} }).status.vms.map(({ state }) => state)).toEqual([
      'Waiting',
      'Done',
    ]);
    const containers = [{ name: 'c', args: ['--launcher-image', 'launcher:v3'] }];
    const deployment = {
      kind: 'Deployment',
      metadata: { name: 'virt-controller', namespace: 'kubevirt' },
      spec: { template: { spec: { containers } } },
    };
    const { spec, status } = statusOf({ vmis, others: [deployment], question: {} });
    expect(spec.launcherImage).toBe('launcher:v3');
    expect(status.counts.Waiting).toBe(2);
  });
});
