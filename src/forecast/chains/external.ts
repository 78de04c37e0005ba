import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';

/** Follows the mark on a VMI with strategy External: KubeVirt leaves it to another controller. */
export function foreseeExternal(context: Context, vmi: Vmi, trail: Trail): Ending {
  trail.note('external controller', context.external, 'KubeVirt only marks the VMI', []);
  if (context.external === 'none')
    return {
      outcome: 'Blocks',
      reason: 'NobodyActsOnMark',
      says: `refuses eviction: it is only marked, and no controller acts on the mark ${vmi.status?.evacuationNodeName ?? ''}`,
    };
  return {
    outcome: 'HandedOver',
    reason: 'External',
    says: 'is only marked for evacuation; its external controller decides',
  };
}
