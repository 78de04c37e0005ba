import type { Vmi } from '../../kubevirt/objects.ts';
import { isFinal } from '../../kubevirt/predicates.ts';
import type { Ending } from '../ending.ts';

/** A VMI that has ended or is going anyway is not touched by an eviction; of any other the future is told by `follow`. */
export function foreseeIfRunning(vmi: Vmi, follow: () => Ending): Ending {
  if (isFinal(vmi)) {
    return { outcome: 'Untouched', reason: 'HasEnded', says: `has ended already (${vmi.status?.phase})` };
  }
  if (vmi.metadata.deletionTimestamp !== undefined) {
    return { outcome: 'Untouched', reason: 'BeingDeleted', says: 'is being deleted already' };
  }
  if (!vmi.status?.nodeName) {
    return { outcome: 'Untouched', reason: 'NotScheduled', says: 'is on no node yet' };
  }
  return follow();
}
