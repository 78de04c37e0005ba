import type { Vmi } from '../../../kubevirt/objects.ts';
import { withStatus } from './vmi-writes.ts';

type VolumeStatus = NonNullable<NonNullable<Vmi['status']>['volumeStatus']>[number];

interface VolumeStep {
  readonly phase: string;
  readonly reason: string;
  readonly message: (name: string) => string;
}

/** virt-handler's steps with a hot-plugged volume, by the phase that they start from (kubevirt v1.9.0 pkg/virt-handler/hotplug-disk). */
const STEPS: Readonly<Record<string, VolumeStep>> = {
  AttachedToNode: {
    phase: 'MountedToPod',
    reason: 'VolumeMountedToPod',
    message: (name) => `Volume ${name} has been mounted in virt-launcher pod`,
  },
  MountedToPod: {
    phase: 'Ready',
    reason: 'VolumeReady',
    message: (name) => `Successfully attach hotplugged volume ${name} to VM`,
  },
  Detaching: {
    phase: 'UnMountedFromPod',
    reason: 'VolumeUnMountedFromPod',
    message: (name) => `Volume ${name} has been unmounted from virt-launcher pod`,
  },
};

/** Whether virt-handler has the next step with a volume to make. */
export function isVolumeDue({ hotplugVolume, phase }: VolumeStatus): boolean {
  return hotplugVolume !== undefined && phase !== undefined && Object.hasOwn(STEPS, phase);
}

/** The volumes that are due, each a step further; undefined: none is. */
export function volumesStepped(
  vmi: Vmi,
  isDue: (name: string, phase: string | undefined) => boolean,
): Vmi | undefined {
  const held = vmi.status?.volumeStatus ?? [];
  const steps = (volume: VolumeStatus) => isVolumeDue(volume) && isDue(volume.name, volume.phase);
  if (!held.some(steps)) return undefined;
  return withStatus(vmi, { volumeStatus: held.map((volume) => (steps(volume) ? stepped(volume) : volume)) });
}

function stepped(volume: VolumeStatus): VolumeStatus {
  const step = STEPS[volume.phase ?? ''];
  if (!step) return volume;
  const told = { phase: step.phase, reason: step.reason, message: step.message(volume.name) };
  return step.phase === 'Ready' ? { ...volume, ...told, ...{ target: 'sda' } } : { ...volume, ...told };
}
