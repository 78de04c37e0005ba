/** Volumes that are plugged into a running VMI, and the pods that bring them. kubevirt v1.9.0 pkg/virt-controller/watch/vmi/volume-hotplug.go */
import type { Pod, Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { isRunning } from '../../kubevirt/predicates.ts';
import type { PluggedVolume } from '../launcher/attachment-pod.ts';
import { isLauncherReady } from './pod-state.ts';

type Volume = NonNullable<VmiSpec['volumes']>[number];

/** The claim of a volume; a DataVolume's has its name. */
export function claimNameOf({ persistentVolumeClaim, dataVolume }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? dataVolume?.name;
}

/** Whether it may be plugged in and out while the VMI runs; then an attachment pod brings it, and no launcher. */
export function isHotpluggable({ persistentVolumeClaim, dataVolume }: Volume): boolean {
  return (persistentVolumeClaim?.hotpluggable ?? dataVolume?.hotpluggable) === true;
}

/** The volumes of a VMI that its launcher does not mount itself. */
export function pluggedVolumes({ spec }: Vmi): readonly PluggedVolume[] {
  return (spec?.volumes ?? []).flatMap((volume) => {
    const claimName = claimNameOf(volume);
    return claimName !== undefined && isHotpluggable(volume) ? [{ name: volume.name, claimName }] : [];
  });
}

/** The attachment pod that brings a volume. */
export function attachmentOf(volume: string, attachments: readonly Pod[]): Pod | undefined {
  return attachments.find(({ spec }) =>
    spec?.volumes?.some(
      ({ name, persistentVolumeClaim }) => name === volume && persistentVolumeClaim !== undefined,
    ),
  );
}

export interface AttachmentChange {
  /** What one new pod is to bring; empty: none is needed. */
  readonly create: readonly PluggedVolume[];
  readonly remove: readonly Pod[];
}

const NO_CHANGE: AttachmentChange = { create: [], remove: [] };

/**
 * Which attachment pods a VMI needs now. One pod brings all volumes; when their set changes, another takes its place, and the old one
 * goes when that runs.
 *
 * Promise: nothing changes while the guest or its launcher is not up. `attachments` are those of the launcher.
 */
export function attachmentChange(vmi: Vmi, launcher: Pod, attachments: readonly Pod[]): AttachmentChange {
  if (!isRunning(vmi) || !isLauncherReady(launcher)) return NO_CHANGE;
  const volumes = pluggedVolumes(vmi);
  const staying = attachments.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (volumes.length === 0) return { create: [], remove: staying };
  const current = staying.find((pod) => bringsJust(pod, volumes));
  if (!current) return { create: volumes, remove: [] };
  const isUp = current.status?.phase === 'Running';
  return { create: [], remove: isUp ? staying.filter((pod) => pod !== current) : [] };
}

function bringsJust({ spec }: Pod, volumes: readonly PluggedVolume[]): boolean {
  const claims = (spec?.volumes ?? []).filter((volume) => volume.persistentVolumeClaim !== undefined);
  const names = new Set(claims.map(({ name }) => name));
  return names.size === volumes.length && volumes.every(({ name }) => names.has(name));
}
