import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { podField, vmiField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';

/** What virt-controller looks at when it brings the status of a VMI up to date. */
export interface VmiSight {
  readonly vmi: Vmi;
  /** The pod that it runs in now; undefined: there is none. */
  readonly pod: Pod | undefined;
}

export function phaseFields({ vmi }: VmiSight): Evidence[] {
  return [vmiField(vmi, 'status.phase', vmi.status?.phase)];
}

/** The phase of the VMI, and how its pod stands. */
export function podFields(sight: VmiSight): Evidence[] {
  const { pod } = sight;
  const leaving = pod && podField(pod, 'metadata.deletionTimestamp', pod.metadata.deletionTimestamp);
  return [
    ...phaseFields(sight),
    ...(pod ? [podField(pod, 'status.phase', pod.status?.phase)] : []),
    ...(leaving ? [leaving] : []),
  ];
}
