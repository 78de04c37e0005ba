import { ACCESS_MODE, CONDITION, PERSISTENT_STATE_VOLUME_PREFIX } from '../kubevirt/names.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { vmiField } from './evidence.ts';
import { type Evidence, resultOf, type Table } from './rules.ts';

/** Whether a migration can carry the volumes that a VMI is told to move; `message` is the error that KubeVirt gives. */
export type VolumeUpdate =
  | { readonly possible: true; readonly message?: undefined }
  | { readonly possible: false; readonly message: string };

export interface VolumeUpdateInput {
  readonly vmi: Vmi | undefined;
}

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/volume-migration/volume-migration.go:470-504';
const POSSIBLE: VolumeUpdate = { possible: true };

/** The volumes' part of a live migration (ValidateVolumesUpdateMigration): workload-update §5 of the spec. */
export const volumeUpdateTable: Table<VolumeUpdateInput, VolumeUpdate> = [
  {
    name: 'VmiMissing',
    asks: 'there is no VMI',
    source: SOURCE,
    when: ({ vmi }) => vmi === undefined,
    reads: () => [],
    then: () => ({ possible: false, message: 'VMI is empty' }),
  },
  {
    name: 'NoVolumesToMigrate',
    asks: 'no volume is to be migrated',
    source: SOURCE,
    when: ({ vmi }) => migratedVolumesOf(vmi).length === 0,
    reads: readVolumes,
    then: () => POSSIBLE,
  },
  {
    name: 'StorageNotLiveMigratable',
    asks: 'something besides the disks keeps the VMI from migrating',
    source: SOURCE,
    when: ({ vmi }) => storageObstacleOf(vmi) !== undefined,
    reads: readStorageCondition,
    then: ({ vmi }) => ({
      possible: false,
      message: `cannot migrate the volumes as the VMI isn't migratable: ${storageObstacleOf(vmi)?.message ?? ''}`,
    }),
  },
  {
    name: 'ReadWriteOnceVolumeStays',
    asks: 'a volume that only one node can use is not among those to be migrated',
    source: SOURCE,
    when: ({ vmi }) => stayingVolumeOf(vmi) !== undefined,
    reads: (input) => [...readVolumes(input), ...readStayingVolume(input)],
    then: ({ vmi }) => ({
      possible: false,
      message: `cannot migrate the VM. The volume ${stayingVolumeOf(vmi)?.name} is RWO and not included in the migration volumes`,
    }),
  },
  {
    name: 'VolumesMigratable',
    asks: 'otherwise the volumes can be migrated',
    source: SOURCE,
    when: () => true,
    reads: readVolumes,
    then: () => POSSIBLE,
  },
];

/**
 * Whether the VMI is in the middle of a volume migration that can be carried out.
 *
 * Promise: false where no volume is to be migrated, since then there is nothing to carry out.
 */
export function hasVolumesToMigrate(vmi: Vmi): boolean {
  if (migratedVolumesOf(vmi).length === 0) return false;
  const input = { vmi };
  return resultOf(volumeUpdateTable, input).possible;
}

type VolumeStatus = NonNullable<NonNullable<Vmi['status']>['volumeStatus']>[number];

function migratedVolumesOf(vmi: Vmi | undefined) {
  return vmi?.status?.migratedVolumes ?? [];
}

/** Any StorageLiveMigratable that is False, be it the second of its type. */
function storageObstacleOf(vmi: Vmi | undefined) {
  return vmi?.status?.conditions?.find(
    (c) => c.type === CONDITION.storageLiveMigratable && c.status === 'False',
  );
}

function stayingVolumeOf(vmi: Vmi | undefined): VolumeStatus | undefined {
  const migrated = new Set(migratedVolumesOf(vmi).map((volume) => volume.volumeName));
  return vmi?.status?.volumeStatus?.find(
    (volume) => isReadWriteOnce(volume) && !isPersistentState(volume) && !migrated.has(volume.name),
  );
}

/** A claim whose list of modes is empty counts as usable on one node only; a volume without claim does not count at all. */
function isReadWriteOnce({ persistentVolumeClaimInfo: claim }: VolumeStatus): boolean {
  const shared: readonly string[] = [ACCESS_MODE.readOnlyMany, ACCESS_MODE.readWriteMany];
  return claim !== undefined && !(claim.accessModes ?? []).some((mode) => shared.includes(mode));
}

/** TPM and EFI state moves with the migration in a way of its own. */
function isPersistentState(volume: VolumeStatus): boolean {
  return volume.name.startsWith(PERSISTENT_STATE_VOLUME_PREFIX);
}

function readVolumes({ vmi }: VolumeUpdateInput): Evidence[] {
  if (!vmi) return [];
  const names = migratedVolumesOf(vmi).map((volume) => volume.volumeName);
  return [vmiField(vmi, 'status.migratedVolumes', names)];
}

function readStorageCondition({ vmi }: VolumeUpdateInput): Evidence[] {
  if (!vmi) return [];
  const obstacle = storageObstacleOf(vmi);
  const path = `status.conditions[type=${CONDITION.storageLiveMigratable}]`;
  const told = obstacle && [obstacle.status, obstacle.message].filter(Boolean).join(': ');
  return [vmiField(vmi, path, told)];
}

function readStayingVolume({ vmi }: VolumeUpdateInput): Evidence[] {
  const volume = stayingVolumeOf(vmi);
  if (!vmi || !volume) return [];
  const path = `status.volumeStatus[name=${volume.name}].persistentVolumeClaimInfo.accessModes`;
  return [vmiField(vmi, path, volume.persistentVolumeClaimInfo?.accessModes)];
}
