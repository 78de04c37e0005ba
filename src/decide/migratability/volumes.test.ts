import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { judgeVolumes } from './volumes.ts';

type Volumes = NonNullable<VmiSpec['volumes']>;
type Devices = NonNullable<NonNullable<VmiSpec['domain']>['devices']>;
type Status = NonNullable<Vmi['status']>;

const HOW = 'live migration requires that all PVCs must be shared (using ReadWriteMany access mode)';
const notShared = (claim: string) => `cannot migrate VMI: PVC ${claim} is not shared, ${HOW}`;
const notKnown = (claim: string) =>
  `cannot migrate VMI: Unable to determine if PVC ${claim} is shared, ${HOW}`;
const HOST_DISK = 'cannot migrate VMI with non-shared HostDisk';

const claim = { name: 'd', persistentVolumeClaim: { claimName: 'pvc-d' } };
const dataVolume = { name: 'd', dataVolume: { name: 'dv-d' } };
const status = (...accessModes: string[]): Status => ({
  volumeStatus: [{ name: 'd', persistentVolumeClaimInfo: { claimName: 'translated', accessModes } }],
});

function judge(volumes: Volumes, of: Status = {}, devices: Devices = {}) {
  const { isBlockMigration, problem } = judgeVolumes(
    aVmi().spec({ volumes, domain: { devices } }).status(of).build(),
  );
  return [isBlockMigration, problem];
}

describe('claims', () => {
  it.each<[string, Volumes, Status, boolean, string | undefined]>([
    ['a shared PVC', [claim], status('ReadWriteMany'), false, undefined],
    ['a shared DataVolume', [dataVolume], status('ReadWriteOnce', 'ReadWriteMany'), false, undefined],
    ['a PVC for one node', [claim], status('ReadWriteOnce'), true, notShared('pvc-d')],
    ['a DataVolume for one node', [dataVolume], status('ReadWriteOnce'), true, notShared('dv-d')],
    ['a PVC that many read', [claim], status('ReadOnlyMany'), true, notShared('pvc-d')],
    ['a PVC for one pod', [claim], status('ReadWriteOncePod'), true, notShared('pvc-d')],
    ['a PVC without modes', [claim], status(), true, notShared('pvc-d')],
    [
      'a PVC without a list of modes',
      [claim],
      { volumeStatus: [{ name: 'd', persistentVolumeClaimInfo: {} }] },
      true,
      notShared('pvc-d'),
    ],
    ['a PVC without info', [claim], { volumeStatus: [{ name: 'd' }] }, true, notKnown('pvc-d')],
    ['a DataVolume without status', [dataVolume], {}, true, notKnown('dv-d')],
    [
      'a PVC with the status of another',
      [claim],
      { volumeStatus: [{ name: 'x', persistentVolumeClaimInfo: {} }] },
      true,
      notKnown('pvc-d'),
    ],
    [
      'a PVC that is being moved',
      [claim],
      { ...status('ReadWriteOnce'), migratedVolumes: [{ volumeName: 'd' }] },
      true,
      undefined,
    ],
    [
      'a PVC beside one that is being moved',
      [claim],
      { ...status('ReadWriteOnce'), migratedVolumes: [{ volumeName: 'x' }] },
      true,
      notShared('pvc-d'),
    ],
    [
      'a PVC without info that is being moved',
      [claim],
      { migratedVolumes: [{ volumeName: 'd' }] },
      true,
      notKnown('pvc-d'),
    ],
  ])('%s', (_, volumes, of, isBlockMigration, problem) => {
    expect(judge(volumes, of)).toEqual([isBlockMigration, problem]);
  });

  it('one of several that are being moved is being moved', () => {
    const migratedVolumes = [{ volumeName: 'x' }, { volumeName: 'd' }];
    expect(judge([claim], { ...status('ReadWriteOnce'), migratedVolumes })).toEqual([true, undefined]);
  });

  it('the last of several statuses of a volume counts', () => {
    const volumeStatus = [
      ...(status('ReadWriteOnce').volumeStatus ?? []),
      ...(status('ReadWriteMany').volumeStatus ?? []),
    ];
    expect(judge([claim], { volumeStatus })).toEqual([false, undefined]);
  });

  it('a read-only CD-ROM of a PVC needs a shared PVC all the same', () => {
    expect(judge([claim], status('ReadWriteOnce'), { disks: [{ name: 'd', cdrom: {} }] })).toEqual([
      true,
      notShared('pvc-d'),
    ]);
  });

  it('a hot-plugged claim counts like any other', () => {
    const volume = { name: 'd', persistentVolumeClaim: { claimName: 'hp', hotpluggable: true } };
    expect(judge([volume], status('ReadWriteOnce'))).toEqual([true, notShared('hp')]);
  });
});

describe('host disks', () => {
  const hostDisk = (shared?: boolean) => [{ name: 'd', hostDisk: { path: '/disk.img', shared } }];

  it.each<[string, Volumes, Status, boolean, string | undefined]>([
    ['shared', hostDisk(true), {}, false, undefined],
    ['not shared', hostDisk(false), {}, true, HOST_DISK],
    ['not said', hostDisk(), { volumeStatus: [{ name: 'd' }] }, true, HOST_DISK],
    ['made of a shared PVC', hostDisk(), status('ReadWriteMany'), false, undefined],
    ['made of a PVC for one node', hostDisk(true), status('ReadWriteOnce'), true, notShared('translated')],
    [
      'made of a PVC without name',
      hostDisk(),
      { volumeStatus: [{ name: 'd', persistentVolumeClaimInfo: {} }] },
      true,
      notShared(''),
    ],
    [
      'made of a PVC that is being moved',
      hostDisk(),
      { ...status('ReadWriteOnce'), migratedVolumes: [{ volumeName: 'd' }] },
      true,
      undefined,
    ],
  ])('%s', (_, volumes, of, isBlockMigration, problem) => {
    expect(judge(volumes, of)).toEqual([isBlockMigration, problem]);
  });
});

describe('everything else', () => {
  const other = [{ name: 'd', containerDisk: {} }];

  it.each<[string, Devices, boolean]>([
    ['on a disk', { disks: [{ name: 'd' }] }, true],
    ['on nothing', {}, true],
    ['on a CD-ROM', { disks: [{ name: 'd', cdrom: {} }] }, false],
    ['on a read-only CD-ROM', { disks: [{ name: 'd', cdrom: { readonly: true } }] }, false],
    ['on a writable CD-ROM', { disks: [{ name: 'd', cdrom: { readonly: false } }] }, true],
    ['beside a CD-ROM', { disks: [{ name: 'x', cdrom: {} }] }, true],
    ['on a filesystem', { filesystems: [{ name: 'd', virtiofs: {} }] }, false],
    ['beside a filesystem', { filesystems: [{ name: 'x', virtiofs: {} }] }, true],
    ['on one of several CD-ROMs', { disks: [{ name: 'x' }, { name: 'd', cdrom: {} }] }, false],
    [
      'on one of several filesystems',
      {
        filesystems: [
          { name: 'x', virtiofs: {} },
          { name: 'd', virtiofs: {} },
        ],
      },
      false,
    ],
    ['on something that is no virtiofs', { filesystems: [{ name: 'd' }] }, true],
  ])('is copied, or not: %s', (_, devices, isBlockMigration) => {
    expect(judge(other, {}, devices)).toEqual([isBlockMigration, undefined]);
  });
});

describe('several volumes', () => {
  it('the first obstacle wins', () => {
    const second = { name: 'e', persistentVolumeClaim: { claimName: 'pvc-e' } };
    expect(judge([claim, second], status('ReadWriteOnce'))).toEqual([true, notShared('pvc-d')]);
    expect(judge([claim, second], status('ReadWriteMany'))).toEqual([true, notKnown('pvc-e')]);
  });

  it('one that is copied makes all of it a copy, whatever follows', () => {
    expect(judge([{ name: 'c', containerDisk: {} }, claim], status('ReadWriteMany'))).toEqual([
      true,
      undefined,
    ]);
  });

  it('none are no obstacle', () => {
    expect(judge([])).toEqual([false, undefined]);
    expect(judgeVolumes({ metadata: { name: 'db' } })).toMatchObject({ isBlockMigration: false });
    expect(judge([], { migratedVolumes: [] })).toEqual([false, undefined]);
    expect(judge([], { migratedVolumes: [{ volumeName: 'd' }] })).toEqual([true, undefined]);
  });
});

describe('the evidence', () => {
  const object = 'VirtualMachineInstance shop/db';

  it('of an obstacle is the volume and the modes of its claim', () => {
    const vmi = aVmi()
      .spec({ volumes: [claim] })
      .status(status('ReadWriteOnce'))
      .build();
    expect(judgeVolumes(vmi).evidence).toEqual([
      { object, path: 'spec.volumes[name=d]', value: claim },
      {
        object,
        path: 'status.volumeStatus[name=d].persistentVolumeClaimInfo.accessModes',
        value: ['ReadWriteOnce'],
      },
    ]);
  });

  it('of no obstacle is the list of volumes', () => {
    const volumes = [{ name: 'd', containerDisk: {} }];
    expect(judgeVolumes(aVmi().spec({ volumes }).build()).evidence).toEqual([
      { object, path: 'spec.volumes', value: volumes },
    ]);
  });
});
