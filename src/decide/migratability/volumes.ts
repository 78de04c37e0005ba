import type { Vmi } from '../../kubevirt/objects.ts';
import { vmiField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import { claimNameOf } from '../vmi/attachments.ts';

type Volume = NonNullable<NonNullable<Vmi['spec']>['volumes']>[number];

/** What the volumes of a VMI mean for a migration. */
export interface VolumesVerdict {
  /** Disks have to be copied along, or nothing can be said. */
  readonly isBlockMigration: boolean;
  /** Why the VMI cannot migrate, by the first volume that forbids it. */
  readonly problem?: string | undefined;
  readonly evidence: readonly Evidence[];
}

/** What one volume means: nothing, a copy, or an obstacle. */
type VolumeVerdict = 'Shared' | 'Copied' | { readonly problem: string };

const SHARED_HOW = 'live migration requires that all PVCs must be shared (using ReadWriteMany access mode)';

/**
 * Goes through the volumes in order; the first obstacle wins (migratability §5 of the spec; VH:1843-1925).
 *
 * Promise: storage class, volume mode and the place of the volume are not looked at, since KubeVirt does not.
 */
export function judgeVolumes(vmi: Vmi): VolumesVerdict {
  let isBlockMigration = (vmi.status?.migratedVolumes?.length ?? 0) > 0;
  for (const volume of vmi.spec?.volumes ?? []) {
    const verdict = judgeVolume(vmi, volume);
    if (typeof verdict === 'object') {
      return { isBlockMigration: true, problem: verdict.problem, evidence: volumeFields(vmi, volume) };
    }
    isBlockMigration ||= verdict === 'Copied';
  }
  return { isBlockMigration, evidence: [vmiField(vmi, 'spec.volumes', vmi.spec?.volumes)] };
}

function judgeVolume(vmi: Vmi, volume: Volume): VolumeVerdict {
  const claim = claimNameOf(volume);
  if (claim !== undefined) return judgeClaim(vmi, volume, claim);
  if (volume.hostDisk) return judgeHostDisk(vmi, volume, volume.hostDisk.shared === true);
  return isFilesystem(vmi, volume) || isReadOnlyCdrom(vmi, volume) ? 'Shared' : 'Copied';
}

function judgeClaim(vmi: Vmi, volume: Volume, claim: string): VolumeVerdict {
  const info = claimInfoOf(vmi, volume);
  if (!info) {
    return { problem: `cannot migrate VMI: Unable to determine if PVC ${claim} is shared, ${SHARED_HOW}` };
  }
  return isShared(vmi, volume) ? 'Shared' : notShared(claim);
}

/** A filesystem PVC becomes a host disk on the node, and is judged as the PVC that it is. */
function judgeHostDisk(vmi: Vmi, volume: Volume, isDeclaredShared: boolean): VolumeVerdict {
  const info = claimInfoOf(vmi, volume);
  if (info) return isShared(vmi, volume) ? 'Shared' : notShared(info.claimName ?? '');
  return isDeclaredShared ? 'Shared' : { problem: 'cannot migrate VMI with non-shared HostDisk' };
}

function notShared(claim: string): VolumeVerdict {
  return { problem: `cannot migrate VMI: PVC ${claim} is not shared, ${SHARED_HOW}` };
}

function claimInfoOf(vmi: Vmi, volume: Volume) {
  return vmi.status?.volumeStatus?.findLast(({ name }) => name === volume.name)?.persistentVolumeClaimInfo;
}

/** Only ReadWriteMany counts; a volume that is itself being moved to another claim need not be shared. */
function isShared(vmi: Vmi, volume: Volume): boolean {
  if (claimInfoOf(vmi, volume)?.accessModes?.includes('ReadWriteMany')) return true;
  return vmi.status?.migratedVolumes?.some(({ volumeName }) => volumeName === volume.name) ?? false;
}

function isFilesystem(vmi: Vmi, volume: Volume): boolean {
  const filesystems = vmi.spec?.domain?.devices?.filesystems;
  return filesystems?.some(({ name, virtiofs }) => name === volume.name && virtiofs !== undefined) ?? false;
}

function isReadOnlyCdrom(vmi: Vmi, volume: Volume): boolean {
  const disks = vmi.spec?.domain?.devices?.disks;
  return disks?.some(({ name, cdrom }) => name === volume.name && cdrom && cdrom.readonly !== false) ?? false;
}

function volumeFields(vmi: Vmi, volume: Volume): Evidence[] {
  const info = claimInfoOf(vmi, volume);
  return [
    vmiField(vmi, `spec.volumes[name=${volume.name}]`, volume),
    vmiField(
      vmi,
      `status.volumeStatus[name=${volume.name}].persistentVolumeClaimInfo.accessModes`,
      info?.accessModes,
    ),
  ];
}
