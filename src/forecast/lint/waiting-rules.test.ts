import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVmi } from '../../kubevirt/builders.ts';
import { aFleet, controlled, findingsOf, objectsFound } from './builders.ts';
import { liveUpdatesWait, outdatedStays } from './waiting-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const PATCH = 'kubectl patch kubevirt -n kubevirt kubevirt --type merge -p';
const launcherImage = 'new';
const kubevirt = (...methods: string[]) =>
  aKubeVirt()
    .methods(...methods)
    .build();
/** Its launcher is up to date. */
const db = (name = 'db') => aVmi(name).on('n1').status({ launcherContainerImageVersion: 'new' });
const fixed = (name = 'db') => db(name).migratable('False', 'DisksNotLiveMigratable', 'PVC db is not shared');

describe('LiveUpdatesWait', () => {
  it.each([
    ['a VMI without changes', [kubevirt(), db().migratable().build()]],
    [
      'a change that is migrated',
      [kubevirt('LiveMigrate'), db().migratable().condition('HotVCPUChange', 'True').build()],
    ],
    ['a change that is evicted', [kubevirt('Evict'), fixed().condition('HotVCPUChange', 'True').build()]],
    ['a change that is over', [kubevirt(), db().migratable().condition('HotMemoryChange', 'False').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(liveUpdatesWait, aFleet(...objects), { launcherImage })).toEqual([]);
  });

  it('finds changes that an empty list holds back', () => {
    const changed = db()
      .migratable()
      .condition('HotVCPUChange', 'True')
      .condition('MigrationRequired', 'True');
    const web = db('web').migratable().condition('HotMemoryChange', 'True').build();
    const fleet = aFleet(kubevirt(), changed.build(), web);
    expect(findingsOf(liveUpdatesWait, fleet, { launcherImage })).toMatchObject([
      {
        code: 'DRV007',
        severity: 'warning',
        objects: [DB, 'VirtualMachineInstance shop/web'],
        cause: 'Changes of CPU, memory and network of 2 VMIs wait: no method is allowed.',
        cure: `Allow live migration, which updates outdated launchers too: \`${PATCH} '{"spec":{"workloadUpdateStrategy":{"workloadUpdateMethods":["LiveMigrate"]}}}'\``,
        evidence: [
          {
            object: 'KubeVirt kubevirt/kubevirt',
            path: 'spec.workloadUpdateStrategy.workloadUpdateMethods',
            value: [],
          },
          { object: DB, path: 'status.launcherContainerImageVersion', value: 'new' },
          { object: DB, path: 'status.conditions[type=HotVCPUChange]', value: 'True' },
          { object: DB, path: 'status.conditions[type=MigrationRequired]', value: 'True' },
          { object: DB, path: 'status.conditions[type=LiveMigratable]', value: 'True' },
        ],
      },
    ]);
  });

  it('finds changes of a VM that cannot migrate where that is the only method', () => {
    const fleet = aFleet(
      kubevirt('LiveMigrate'),
      controlled(fixed().condition('HotVCPUChange', 'True').build()),
    );
    expect(findingsOf(liveUpdatesWait, fleet, { launcherImage })).toMatchObject([
      {
        objects: [DB],
        cause:
          'Changes of CPU of 1 VMI wait: the methods are LiveMigrate only, and shop/db cannot live-migrate (PVC db is not shared).',
        cure: 'Restart each VM at a time that suits it, which takes the change over too: `virtctl restart -n shop db`',
      },
    ]);
  });

  it('counts a volume move that cannot be carried, which an outdated launcher does not hide', () => {
    const moving = fixed()
      .condition('VolumesChange', 'True')
      .status({ launcherContainerImageVersion: 'old' });
    const found = findingsOf(liveUpdatesWait, aFleet(kubevirt(), moving.build()), { launcherImage });
    expect(found[0]?.cause).toMatch(
      /^Changes of volumes of 1 VMI wait: no method is allowed, and shop\/db cannot/,
    );
  });
});

describe('OutdatedStays', () => {
  const old = (name = 'db') => aVmi(name).on('n1').status({ launcherContainerImageVersion: 'old' });

  it.each([
    ['a current launcher', [kubevirt(), db().migratable().build()]],
    ['one that will be migrated', [kubevirt('LiveMigrate'), old().migratable().build()]],
    ['one that will be evicted', [kubevirt('Evict'), old().build()]],
    [
      'one that somebody migrates',
      [kubevirt(), old().migratable().build(), aMigration().phase('Pending').build()],
    ],
    [
      'one with a change besides',
      [kubevirt(), old().migratable().condition('HotVCPUChange', 'True').build()],
    ],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(outdatedStays, aFleet(...objects), { launcherImage })).toEqual([]);
  });

  it('tells those that could migrate from those that could not', () => {
    const fleet = aFleet(kubevirt(), old().migratable().build(), old('web').build());
    expect(findingsOf(outdatedStays, fleet, { launcherImage })).toMatchObject([
      {
        code: 'DRV010',
        severity: 'info',
        objects: [DB],
        cause: '1 VMI runs an outdated launcher: no method is allowed.',
      },
      {
        objects: ['VirtualMachineInstance shop/web'],
        cause:
          '1 VMI runs an outdated launcher: no method is allowed, and shop/web cannot live-migrate (it has no LiveMigratable condition yet).',
        cure: 'Restart each VM at a time that suits it, which takes the change over too: `kubectl delete vmi -n shop web` and create it again',
      },
    ]);
  });

  it('goes by the label of KubeVirt where the image of the controller is not known', () => {
    const fleet = aFleet(kubevirt(), old().migratable().outdated().build(), old('web').migratable().build());
    expect(objectsFound(outdatedStays, fleet)).toEqual([[DB]]);
  });
});
