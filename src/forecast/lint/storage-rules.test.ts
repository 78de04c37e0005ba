import { describe, expect, it } from 'vitest';
import { aKubeVirt, aNode, aPod, aVm, aVmi } from '../../kubevirt/builders.ts';
import type { PersistentVolume, PersistentVolumeClaim, Vmi } from '../../kubevirt/objects.ts';
import { aFleet, anAttachment, controlled, findingsOf, launched, objectsFound } from './builders.ts';
import { staysOffAfterEviction } from './eviction-rules.ts';
import { hotplugPodsUnprotected, sharedDiskOnOneNode, volumeUpdateInFlight } from './storage-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const vmi = aVmi('db').on('n1').build();

describe('VolumeUpdateInFlight', () => {
  const moving = (strategy: string, name = 'db'): Vmi =>
    controlled(
      aVmi(name)
        .on('n1')
        .strategy(strategy)
        .condition('VolumesChange', 'True')
        .status({ migratedVolumes: [{ volumeName: 'root' }, { volumeName: 'data' }] })
        .build(),
    );
  const vm = aVm('db').build();

  it.each([
    [
      'a VMI that moves no volumes',
      controlled(aVmi('db').on('n1').condition('VolumesChange', 'True').build()),
      vm,
    ],
    [
      'a move that has ended',
      controlled(
        aVmi('db')
          .on('n1')
          .status({ migratedVolumes: [{ volumeName: 'root' }] })
          .build(),
      ),
      vm,
    ],
    [
      'volumes that are replaced at the next start',
      moving('None'),
      aVm('db').spec({ updateVolumesStrategy: 'Replacement' }).build(),
    ],
  ])('says nothing about %s', (_, changed, owner) => {
    expect(objectsFound(volumeUpdateInFlight, aFleet(...launched(changed), owner))).toEqual([]);
  });

  it('finds the VM that a drain would shut down', () => {
    expect(
      findingsOf(volumeUpdateInFlight, aFleet(...launched(moving('LiveMigrateIfPossible')), vm)),
    ).toMatchObject([
      {
        code: 'DRV029',
        severity: 'warning',
        objects: [DB],
        cause:
          '1 VMI moves volumes (shop/db: root and data), and an eviction is not refused: a drain now leaves the VM off until recovered by hand.',
        cure: 'Hold drains until the move has ended, or withdraw it by putting the old volumes back into the VM; how far it is: `kubectl get vmim -n shop`',
        evidence: [
          { object: DB, path: 'status.conditions[type=VolumesChange]', value: 'True' },
          { object: DB, path: 'status.migratedVolumes', value: ['root', 'data'] },
        ],
      },
    ]);
  });

  it('leaves Manual VMs to the rule about those that stay off, unless volumes are on the move', () => {
    const manual = aVm('db').runStrategy('Manual').build();
    const only = (change: Parameters<ReturnType<typeof aVmi>['status']>[0], condition: string) =>
      controlled(aVmi('db').on('n1').condition('VolumesChange', condition).status(change).build());
    const moved = { migratedVolumes: [{ volumeName: 'root' }] };
    const found = [moving('None'), only({}, 'True'), only(moved, 'False')].map((changed) => {
      const fleet = aFleet(...launched(changed), manual);
      return [volumeUpdateInFlight, staysOffAfterEviction].map((rule) => objectsFound(rule, fleet).length);
    });
    expect(found).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
  });

  it('tells those apart whose eviction is refused', () => {
    const fleet = aFleet(
      ...launched(moving('None')),
      ...launched(moving('LiveMigrate', 'web')),
      ...launched(moving('LiveMigrate', 'mail')),
      ...[vm, aVm('web').build(), aVm('mail').build()],
    );
    expect(findingsOf(volumeUpdateInFlight, fleet)).toMatchObject([
      { objects: [DB] },
      {
        objects: ['VirtualMachineInstance shop/mail', 'VirtualMachineInstance shop/web'],
        cause:
          '2 VMIs move volumes (shop/mail: root and data), and a shutdown before that has ended leaves the VMs off until recovered by hand.',
      },
    ]);
  });
});

describe('SharedDiskOnOneNode', () => {
  const nodes = ['n1', 'n2'].map((name) => aNode(name).labelled('kubevirt.io/schedulable', 'true').build());
  const claim = (mode: string, name = 'db-disk'): PersistentVolumeClaim => ({
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop' },
    spec: { accessModes: [mode], volumeName: `pv-${name}`, storageClassName: 'fast' },
  });
  const volume = (...hosts: string[]): PersistentVolume => ({
    kind: 'PersistentVolume',
    metadata: { name: 'pv-db-disk' },
    spec: {
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: hosts }] },
          ],
        },
      },
    },
  });
  const withDisk = (migratable: string) => {
    const [db, pod] = launched(aVmi('db').on('n1').migratable(migratable).build());
    const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'db-disk' } }];
    return [db, { ...pod, spec: { ...pod.spec, volumes } }] as const;
  };
  const rwx = claim('ReadWriteMany');

  it.each([
    ['a volume that two nodes reach', [...withDisk('True'), rwx, volume('n1', 'n2'), ...nodes]],
    ['a volume without affinity', [...withDisk('True'), rwx, { ...volume(), spec: {} }, ...nodes]],
    ['a claim that says so', [...withDisk('True'), claim('ReadWriteOnce'), volume('n1'), ...nodes]],
    ['a VMI that says so', [...withDisk('False'), rwx, volume('n1'), ...nodes]],
    ['a claim that is not bound', [...withDisk('True'), rwx, ...nodes]],
    [
      'a cluster with one node',
      [
        ...withDisk('True'),
        rwx,
        volume('n1'),
        aNode('n1').labelled('kubevirt.io/schedulable', 'true').build(),
      ],
    ],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(sharedDiskOnOneNode, aFleet(...objects))).toEqual([]);
  });

  it('names the claim, the volume and its node', () => {
    const fleet = aFleet(...withDisk('True'), rwx, volume('n1'), ...nodes);
    expect(findingsOf(sharedDiskOnOneNode, fleet)).toMatchObject([
      {
        code: 'DRV020',
        objects: [DB],
        cause:
          '1 VMI reports LiveMigratable with such a disk: claim db-disk of shop/db is ReadWriteMany, and volume pv-db-disk is reached from n1 alone.',
        cure: 'Move the disk to storage that every node reaches, and take ReadWriteMany out of the storage profile of this class: `kubectl get storageprofile fast -o yaml`',
        evidence: [
          {
            object: 'PersistentVolumeClaim shop/db-disk',
            path: 'spec.accessModes',
            value: ['ReadWriteMany'],
          },
          {
            object: 'PersistentVolume pv-db-disk',
            path: 'spec.nodeAffinity',
            value: volume('n1').spec?.nodeAffinity,
          },
        ],
      },
    ]);
  });

  it('says so when no node takes VMs and reaches the volume', () => {
    const fleet = aFleet(...withDisk('True'), rwx, volume('gone'), ...nodes);
    expect(findingsOf(sharedDiskOnOneNode, fleet)[0]?.cause).toMatch(/is reached from no node alone\.$/);
  });
});

describe('HotplugPodsUnprotected', () => {
  const launcher = aPod().launcherOf(vmi).on('n1').build();
  const disk = anAttachment(launcher, 'hp-volume-1');
  const kubevirt = (observedKubeVirtVersion: string) =>
    aKubeVirt().status({ observedKubeVirtVersion }).build();

  it.each([
    ['1.6 and later', aFleet(kubevirt('v1.6.0'), vmi, launcher, disk)],
    ['a VM without hot-plugged disks', aFleet(kubevirt('v1.5.2'), vmi, launcher)],
    ['a VMI without launcher', aFleet(kubevirt('v1.5.2'), vmi, disk)],
  ])('says nothing about %s', (_, fleet) => {
    expect(objectsFound(hotplugPodsUnprotected, fleet)).toEqual([]);
  });

  it('finds the VMI on 1.5', () => {
    const other = anAttachment(launcher, 'hp-volume-0');
    expect(
      findingsOf(hotplugPodsUnprotected, aFleet(kubevirt('v1.5.2'), vmi, launcher, disk, other)),
    ).toMatchObject([
      {
        objects: [DB],
        cause:
          'KubeVirt 1.5 does not refuse the eviction of attachment pods, and 1 running VMI has hot-plugged disks.',
        evidence: ['hp-volume-0', 'hp-volume-1'].map((name) => ({
          object: `Pod shop/${name}`,
          path: 'metadata.ownerReferences[0].name',
          value: 'virt-launcher-db-1',
        })),
      },
    ]);
  });
});
