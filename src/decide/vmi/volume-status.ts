/** `status.volumeStatus` of a VMI as virt-controller keeps it. kubevirt v1.9.0 pkg/virt-controller/watch/vmi/storage.go (updateVolumeStatus) */
import type { PersistentVolumeClaim, Pod, Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { compareText } from '../../kubevirt/order.ts';
import { type EventDraft, eventOnVmi } from '../events.ts';
import { attachmentOf, claimNameOf, isHotpluggable } from './attachments.ts';

type Volume = NonNullable<VmiSpec['volumes']>[number];
type VolumeStatus = NonNullable<NonNullable<Vmi['status']>['volumeStatus']>[number];

export interface VolumeSight {
  readonly vmi: Vmi;
  /** The attachment pods of the launcher that the VMI is in. */
  readonly attachments: readonly Pod[];
  /** Claims in the namespace of the VMI; one that is not known is taken for bound. */
  claim(name: string): PersistentVolumeClaim | undefined;
}

export interface VolumeStatusChange {
  /** By name; the list that was there where nothing changes. */
  readonly volumeStatus: readonly VolumeStatus[];
  readonly events: readonly EventDraft[];
}

const NOT_ATTACHED: ReadonlySet<string> = new Set(['', 'Pending', 'Bound']);

/** What is known of the volumes now. Entries keep what others have noted in them. */
export function volumeStatusOf(sight: VolumeSight): VolumeStatusChange {
  const held = sight.vmi.status?.volumeStatus ?? [];
  if (held.length === 0 && !sight.vmi.spec?.volumes?.length) return { volumeStatus: held, events: [] };
  const named = new Set(sight.vmi.spec?.volumes?.map(({ name }) => name));
  const noted = (sight.vmi.spec?.volumes ?? []).map((volume) => noteVolume(volume, held, sight));
  const unplugged = held.flatMap((status) => (named.has(status.name) ? [] : noteUnplugged(status, sight)));
  const all = [...noted, ...unplugged].sort((a, b) => compareText(a.status.name, b.status.name));
  const isSame = all.length === held.length && all.every(({ status }) => held.includes(status));
  return {
    volumeStatus: isSame ? held : all.map(({ status }) => status),
    events: all.flatMap(({ event }) => event ?? []),
  };
}

interface Noted {
  readonly status: VolumeStatus;
  readonly event?: EventDraft | undefined;
}

function noteVolume(volume: Volume, held: readonly VolumeStatus[], sight: VolumeSight): Noted {
  const status = held.find(({ name }) => name === volume.name) ?? newStatus(volume, sight);
  return isHotpluggable(volume) ? notePlugged(status, sight) : { status };
}

function newStatus(volume: Volume, sight: VolumeSight): VolumeStatus {
  const claimName = claimNameOf(volume);
  const info = claimName === undefined ? {} : { persistentVolumeClaimInfo: claimInfo(claimName, sight) };
  return { name: volume.name, ...{ target: '' }, ...info };
}

function claimInfo(claimName: string, { claim }: VolumeSight): VolumeStatus['persistentVolumeClaimInfo'] {
  const { accessModes, volumeMode } = claim(claimName)?.spec ?? {};
  return { claimName, ...(accessModes && { accessModes }), ...(volumeMode && { volumeMode }) };
}

function notePlugged(status: VolumeStatus, sight: VolumeSight): Noted {
  const pod = attachmentOf(status.name, sight.attachments);
  if (!pod)
    return {
      status: status.hotplugVolume ? status : { ...status, hotplugVolume: {}, ...boundPhase(status, sight) },
    };
  const { name, uid } = pod.metadata;
  const attachPodUID = pod.status?.phase === 'Running' ? uid : undefined;
  const plugged = sameAttachment(status, name, attachPodUID)
    ? status
    : { ...status, hotplugVolume: { attachPodName: name, ...(attachPodUID && { attachPodUID }) } };
  if (!NOT_ATTACHED.has(status.phase ?? '')) return { status: plugged };
  const message = `Created hotplug attachment pod ${name}, for volume ${status.name}`;
  return told(sight, { ...plugged, phase: 'AttachedToNode' }, 'SuccessfulCreate', message);
}

function sameAttachment({ hotplugVolume }: VolumeStatus, name: string, uid: string | undefined): boolean {
  return hotplugVolume?.attachPodName === name && hotplugVolume.attachPodUID === uid;
}

function boundPhase({ persistentVolumeClaimInfo }: VolumeStatus, { claim }: VolumeSight): object {
  const phase = claim(persistentVolumeClaimInfo?.claimName ?? '')?.status?.phase ?? 'Bound';
  const reason = phase === 'Bound' ? 'PVCBound' : 'PVCNotReady';
  return { phase: phase === 'Bound' ? 'Bound' : 'Pending', reason, message: `PVC is in phase ${phase}` };
}

const LEAVING: ReadonlySet<string> = new Set(['Detaching', 'UnMountedFromPod']);

/** An unplugged volume stays noted until its pod is gone; others go with their entry in the spec. */
function noteUnplugged(status: VolumeStatus, sight: VolumeSight): readonly Noted[] {
  const pod = attachmentOf(status.name, sight.attachments);
  if (!status.hotplugVolume || !pod) return [];
  if (LEAVING.has(status.phase ?? '')) return [{ status }];
  const message = `Deleted hotplug attachment pod ${pod.metadata.name}, for volume ${status.name}`;
  return [told(sight, { ...status, phase: 'Detaching' }, 'SuccessfulDelete', message)];
}

function told({ vmi }: VolumeSight, status: VolumeStatus, reason: string, message: string): Noted {
  return { status: { ...status, ...{ reason, message } }, event: eventOnVmi(vmi, 'Normal', reason, message) };
}
