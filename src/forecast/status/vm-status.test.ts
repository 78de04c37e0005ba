import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { agoAt, type Cluster, current, old, statusOf, stubborn } from './test-status.ts';

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
