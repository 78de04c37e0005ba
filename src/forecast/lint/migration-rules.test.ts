import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import { aFleet, findingsOf, objectsFound } from './builders.ts';
import { migrationsKeepFailing, twoLaunchers } from './migration-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const vmi = aVmi('db').on('n1').build();

describe('MigrationsKeepFailing', () => {
  /** The newest is `move-9`; its reason is written where one is given. */
  const failed = (n: number, failureReason?: string) => ({
    ...aMigration(`move-${n}`).evacuation().phase('Failed').createdAt(`2026-03-01T11:0${n}:00Z`).build(),
    status: { phase: 'Failed', migrationState: failureReason ? { failureReason } : undefined },
  });
  const three = [failed(7), failed(9, 'Target pod is down'), failed(8)];

  it.each([
    ['two failures', [failed(7), failed(8)]],
    [
      'a success since',
      [
        ...three,
        aMigration('last').evacuation().phase('Succeeded').createdAt('2026-03-01T11:30:00Z').build(),
      ],
    ],
    [
      'migrations that a person asked for',
      three.map((migration) => ({ ...migration, metadata: { ...migration.metadata, annotations: {} } })),
    ],
    ['migrations of another VMI', three.map((migration) => ({ ...migration, spec: { vmiName: 'web' } }))],
  ])('says nothing about %s', (_, migrations) => {
    expect(objectsFound(migrationsKeepFailing, aFleet(vmi, ...migrations))).toEqual([]);
  });

  it('counts the failures since the last success, whatever is under way', () => {
    const before = aMigration('first')
      .workloadUpdate()
      .phase('Succeeded')
      .createdAt('2026-03-01T10:00:00Z')
      .build();
    const underWay = aMigration('next')
      .evacuation()
      .phase('Pending')
      .createdAt('2026-03-01T11:40:00Z')
      .build();
    expect(findingsOf(migrationsKeepFailing, aFleet(vmi, before, underWay, ...three))).toMatchObject([
      {
        code: 'DRV027',
        severity: 'warning',
        objects: [DB],
        cause: 'The last 3 automatic migrations of shop/db failed; reasons given: Target pod is down.',
        cure: 'Look at the newest attempt and remove its reason, or take back the mark or the change that asks for it: `kubectl describe vmim -n shop move-9`',
        evidence: ['move-9', 'move-8', 'move-7'].map((name) => ({
          object: `VirtualMachineInstanceMigration shop/${name}`,
          path: 'status.phase',
          value: 'Failed',
        })),
      },
    ]);
  });

  it('puts all VMIs into one finding with the reasons of their newest attempts', () => {
    const web = [1, 2, 3].map((n) => ({
      ...aMigration(`web-${n}`, 'web').workloadUpdate().createdAt(`2026-03-01T11:0${n}:00Z`).build(),
      status: { phase: 'Failed' },
    }));
    const fleet = aFleet(aVmi('web').on('n2').build(), vmi, ...web, ...three);
    expect(findingsOf(migrationsKeepFailing, fleet)).toMatchObject([
      {
        objects: [DB, 'VirtualMachineInstance shop/web'],
        cause:
          'The last 3 automatic migrations of shop/db failed, and 1 more VMI fares alike; reasons given: Target pod is down and none recorded.',
      },
    ]);
  });
});

describe('TwoLaunchers', () => {
  const here = aPod('virt-launcher-db-a').launcherOf(vmi).on('n1').build();
  const there = aPod('virt-launcher-db-b').launcherOf(vmi).on('n2').build();
  const migration = aMigration('move-1');

  it.each([
    ['one pod', [here]],
    ['a second one that has finished', [here, { ...there, status: { phase: 'Succeeded' } }]],
    [
      'a second one on its way out',
      [here, aPod('virt-launcher-db-b').launcherOf(vmi).on('n2').deleting().build()],
    ],
    ['a migration in flight', [here, there, migration.phase('Running').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(twoLaunchers, aFleet(vmi, ...objects))).toEqual([]);
  });

  it('names both pods and the one to delete', () => {
    const fleet = aFleet(vmi, there, here, aMigration('move-1').phase('Failed').build());
    expect(findingsOf(twoLaunchers, fleet)).toMatchObject([
      {
        code: 'DRV028',
        severity: 'error',
        objects: [DB],
        cause:
          'shop/db is on n1 and has 2 live launcher pods (virt-launcher-db-a on n1 and virt-launcher-db-b on n2), but no unfinished migration.',
        cure:
          'Hold every roll-out and drain. Make sure that no guest runs in Pod shop/virt-launcher-db-b, then delete it: ' +
          '`kubectl delete pod -n shop virt-launcher-db-b`. If both ran the guest, stop the VM and check its disks first.',
        evidence: [
          { object: 'Pod shop/virt-launcher-db-a', path: 'spec.nodeName', value: 'n1' },
          { object: 'Pod shop/virt-launcher-db-b', path: 'spec.nodeName', value: 'n2' },
        ],
      },
    ]);
  });

  it('counts the others', () => {
    const web = aVmi('web').on('n1').build();
    const pods = ['x', 'y'].map((end) => aPod(`virt-launcher-web-${end}`).launcherOf(web).on('n1').build());
    const [finding] = findingsOf(twoLaunchers, aFleet(vmi, here, there, web, ...pods));
    expect(finding?.cause).toMatch(/but no unfinished migration\. So does 1 more VMI\.$/);
  });
});
