import { CONDITION } from '../kubevirt/names.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { findCondition } from '../kubevirt/predicates.ts';

/**
 * Why a VMI cannot live-migrate, in a clause that a person understands and that names the device or disk.
 *
 * Promise: rests on the LiveMigratable condition alone and only adds names from the VMI where they fit its reason; a
 * condition without reason, or none at all, says so.
 */
export function whyNotMigratable(vmi: Vmi): string {
  const condition = findCondition(vmi.status?.conditions, CONDITION.liveMigratable);
  if (!condition) return 'it has no LiveMigratable condition yet';
  const named = BY_REASON[condition.reason ?? '']?.(vmi);
  return (
    named ?? condition.message ?? condition.reason ?? `its LiveMigratable condition is ${condition.status}`
  );
}

const BY_REASON: Record<string, (vmi: Vmi) => string | undefined> = {
  DisksNotLiveMigratable: unsharedDisk,
  HostDeviceNotLiveMigratable: immovableDevice,
  InterfaceNotLiveMigratable: immovableInterface,
};

function unsharedDisk(vmi: Vmi): string | undefined {
  const moving = new Set((vmi.status?.migratedVolumes ?? []).map((volume) => volume.volumeName));
  const unshared = (vmi.status?.volumeStatus ?? []).filter((volume) => {
    const modes = volume.persistentVolumeClaimInfo?.accessModes;
    return volume.persistentVolumeClaimInfo && !modes?.includes('ReadWriteMany') && !moving.has(volume.name);
  });
  const [first] = unshared;
  if (!first) return undefined;
  const { claimName, accessModes } = first.persistentVolumeClaimInfo ?? {};
  const modes = accessModes?.length ? accessModes.join('+') : 'without access mode';
  const more = unshared.length > 1 ? `, and ${unshared.length - 1} more` : '';
  return `disk "${first.name}" (PVC ${claimName ?? 'unknown'}) is ${modes}${more}`;
}

function immovableDevice(vmi: Vmi): string | undefined {
  const devices = vmi.spec?.domain?.devices;
  const hostDevice = devices?.hostDevices?.[0];
  if (hostDevice) return `host device "${hostDevice.name ?? hostDevice.deviceName ?? ''}" cannot move`;
  const gpu = devices?.gpus?.[0];
  return gpu && `GPU "${gpu.name ?? gpu.deviceName ?? ''}" cannot move`;
}

function immovableInterface(vmi: Vmi): string | undefined {
  const podNetwork = vmi.spec?.networks?.find((network) => network.pod);
  const nic = vmi.spec?.domain?.devices?.interfaces?.find((candidate) => candidate.name === podNetwork?.name);
  return nic?.bridge && `interface "${nic.name}" is bridged to the pod network`;
}
