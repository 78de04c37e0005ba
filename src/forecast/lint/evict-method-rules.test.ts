import { describe, expect, it } from 'vitest';
import { aBudget, aKubeVirt, aVmi } from '../../kubevirt/builders.ts';
import { aFleet, controlled, findingsOf, launched, objectsFound } from './builders.ts';
import { evictWithoutStrategy, updaterNeverRests } from './evict-method-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const CR = 'KubeVirt kubevirt/kubevirt';
const METHODS = 'spec.workloadUpdateStrategy.workloadUpdateMethods';
const PATCH = 'kubectl patch kubevirt -n kubevirt kubevirt --type merge -p';
const kubevirt = (...methods: string[]) =>
  aKubeVirt()
    .methods(...methods)
    .build();
const db = (strategy?: string, name = 'db') => {
  const vmi = aVmi(name).on('n1').status({ launcherContainerImageVersion: 'old' });
  return strategy === undefined ? vmi : vmi.strategy(strategy);
};
const launcherImage = 'new';

describe('EvictWithoutStrategy', () => {
  const both = kubevirt('LiveMigrate', 'Evict');

  it.each([
    ['a method list without Evict', [kubevirt('LiveMigrate'), ...launched(db('None').build())]],
    ['a VMI that is migrated', [both, ...launched(db('None').migratable().build())]],
    ['a VMI with a strategy', [both, ...launched(db('LiveMigrateIfPossible').build())]],
    ['a VMI whose image is not known', [both, ...launched(aVmi('db').on('n1').build())]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(evictWithoutStrategy, aFleet(...objects))).toEqual([]);
  });

  it('finds what cannot migrate, outdated or not', () => {
    const fleet = aFleet(both, ...launched(db().build()));
    expect(findingsOf(evictWithoutStrategy, fleet, { launcherImage: 'old' })).toMatchObject([
      {
        code: 'DRV008',
        severity: 'warning',
        objects: [DB],
        cause:
          '1 VMI has no eviction strategy and cannot live-migrate: a launcher update shuts it down, 10 every 60 s.',
        cure:
          'Give VMs that must not be shut down unasked a strategy (`kubectl patch vm -n shop db --type merge -p \'{"spec":{"template":{"spec":{"evictionStrategy":"LiveMigrate"}}}}\'`, ' +
          `in force from their next start), or take Evict away: \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"workloadUpdateMethods":["LiveMigrate"]}}}'\``,
        evidence: [
          { object: CR, path: METHODS, value: ['LiveMigrate', 'Evict'] },
          { object: DB, path: 'spec.evictionStrategy', value: undefined },
          { object: 'KubeVirt', path: 'spec.configuration.evictionStrategy', value: 'None' },
          { object: DB, path: 'status.conditions[type=LiveMigratable]', value: undefined },
        ],
      },
    ]);
  });

  it('finds what could migrate but for the method', () => {
    const cr = aKubeVirt().batches(3, '2m').methods('Evict').build();
    const fleet = aFleet(
      cr,
      ...launched(db('None').migratable().build()),
      ...launched(db('odd', 'web').migratable().build()),
    );
    expect(findingsOf(evictWithoutStrategy, fleet)).toMatchObject([
      {
        objects: [DB, 'VirtualMachineInstance shop/web'],
        cause:
          '2 VMIs have no eviction strategy and could live-migrate, but the methods list Evict without LiveMigrate: a launcher update shuts them down, 3 every 120 s.',
        cure: `List LiveMigrate too: \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"workloadUpdateMethods":["LiveMigrate","Evict"]}}}'\``,
      },
    ]);
  });
});

describe('UpdaterNeverRests', () => {
  const evict = kubevirt('LiveMigrate', 'Evict');
  const budget = aBudget('all').selecting('kubevirt.io', 'virt-launcher').spec({ maxUnavailable: 1 }).build();

  it.each([
    [
      'a current launcher',
      [
        evict,
        ...launched(
          aVmi('db')
            .on('n1')
            .strategy('LiveMigrate')
            .status({ launcherContainerImageVersion: 'new' })
            .build(),
        ),
      ],
    ],
    ['methods without Evict', [kubevirt('LiveMigrate'), ...launched(db('LiveMigrate').build())]],
    ['an eviction that is let through', [evict, ...launched(db('None').build())]],
    ['one that is handed over', [evict, ...launched(db('External').build())]],
    ['one that migrates', [evict, ...launched(db('LiveMigrate').migratable().build())]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(updaterNeverRests, aFleet(...objects), { launcherImage })).toEqual([]);
  });

  it('finds a VMI that the webhook never lets go', () => {
    const fleet = aFleet(evict, ...launched(controlled(db('LiveMigrate').build())));
    expect(findingsOf(updaterNeverRests, fleet, { launcherImage })).toMatchObject([
      {
        code: 'DRV009',
        severity: 'error',
        objects: [DB],
        cause:
          '1 VMI is to be evicted for an update, in batches of 10, and the eviction is refused for ever; shop/db: strategy LiveMigrate, but it has no LiveMigratable condition yet.',
        cure: `Restart each of the VMs once, which updates it (\`virtctl restart -n shop db\`); until then take Evict away: \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"workloadUpdateMethods":["LiveMigrate"]}}}'\``,
        evidence: [
          { object: CR, path: METHODS },
          { object: DB, path: 'status.launcherContainerImageVersion', value: 'old' },
          { object: DB, path: 'spec.evictionStrategy', value: 'LiveMigrate' },
          { object: DB, path: 'status.conditions[type=LiveMigratable]' },
        ],
      },
    ]);
  });

  it('finds a VMI whose live update waits, though its launcher is current', () => {
    const changed = aVmi('db').on('n1').strategy('LiveMigrate').condition('HotVCPUChange', 'True');
    const fleet = aFleet(
      evict,
      ...launched(changed.status({ launcherContainerImageVersion: 'new' }).build()),
    );
    expect(objectsFound(updaterNeverRests, fleet, { launcherImage })).toEqual([[DB]]);
  });

  it('finds a VMI that a budget never lets go', () => {
    const fleet = aFleet(evict, ...launched(db('None').build()), budget);
    expect(findingsOf(updaterNeverRests, fleet, { launcherImage })[0]?.cause).toBe(
      '1 VMI is to be evicted for an update, in batches of 10, and the eviction is refused for ever; shop/db: ' +
        'disruption budget "all" sets maxUnavailable 1, which never allows an eviction here: launcher pods are owned by a VirtualMachineInstance, and that has no scale.',
    );
  });

  it('finds a VMI under two budgets, but not one whose budget may allow it later', () => {
    const second = aBudget('web')
      .selecting('kubevirt.io/created-by', 'uid-db')
      .spec({ minAvailable: 0 })
      .build();
    const fleet = aFleet(evict, ...launched(db('None').build()), second);
    expect(objectsFound(updaterNeverRests, fleet, { launcherImage })).toEqual([]);
    fleet.apply('PodDisruptionBudget', budget);
    expect(objectsFound(updaterNeverRests, fleet, { launcherImage })).toEqual([[DB]]);
  });
});
