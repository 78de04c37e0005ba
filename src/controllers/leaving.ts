import { isPodDownOrGoingDown } from '../decide/vmi/pod-state.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vmi } from '../kubevirt/objects.ts';

/** Somebody has evicted the VMI's pod, or its guest has ended: the VMI itself shows that only when the guest is down. */
export function isLeaving(fleet: Fleet, vmi: Vmi): boolean {
  const pod = fleet.launcherPodOf(vmi);
  return pod !== undefined && isPodDownOrGoingDown(pod);
}
