/** Addresses of pods and VMIs of which a trimmed snapshot tells none: those that the node agents would give. */
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { podIpOf } from '../../simulation/actors/node/pod-ip.ts';
import { interfacesOf } from '../../simulation/actors/node/vmi-writes.ts';

/** The part of a running pod's status that tells where it is. */
export function addressOf(pod: Pod): { readonly podIP: string; readonly podIPs: readonly object[] } {
  const podIP = pod.status?.podIP || podIpOf(pod);
  return { podIP, podIPs: [{ ip: podIP }] };
}

/** A running VMI that tells of no interfaces has those of its launcher, at the launcher's address. */
export function addressed(vmi: Vmi, address: string | undefined): Vmi {
  const { phase, interfaces } = vmi.status ?? {};
  if (phase !== 'Running' || interfaces !== undefined || address === undefined) return vmi;
  return { ...vmi, status: { ...vmi.status, interfaces: interfacesOf(vmi, address) } };
}
