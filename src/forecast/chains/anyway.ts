import type { Vmi } from '../../kubevirt/objects.ts';
import { isFinal, isMarked, isPodFinished } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { BY_MARK, byTaint, foreseeEvacuation, isEvacuated } from './evacuation.ts';
import { foreseeMarkedBefore } from './external.ts';
import { foreseeShutdown } from './shutdown.ts';
import { moveUnderWay } from './under-way.ts';

/** Its launcher is there, and asks for a node. */
function isStarting({ fleet }: Context, vmi: Vmi): boolean {
  if (vmi.status?.nodeName) return false;
  const pod = fleet.launcherPodOf(vmi);
  return pod !== undefined && !isPodFinished(pod) && pod.spec?.nodeName === undefined;
}

/** What becomes of a VM whatever is done to it, for it is being deleted, is starting, was marked before, is on a node
 * with the old drain taint, or is to migrate already; undefined: nothing. */
export function foreseeAnyway(context: Context, vmi: Vmi, trail: Trail): Ending | undefined {
  if (isFinal(vmi)) return undefined;
  if (vmi.metadata.deletionTimestamp !== undefined) {
    return foreseeShutdown(context, vmi, trail, { says: 'is being deleted' });
  }
  if (isStarting(context, vmi)) return { outcome: 'Restarts', reason: 'Starting', says: 'is starting' };
  const handedOver = foreseeMarkedBefore(context, vmi, trail);
  if (handedOver) return handedOver;
  if (!isEvacuated(context, vmi)) return moveUnderWay(context, vmi, trail);
  const ending = foreseeEvacuation(context, vmi, trail, isMarked(vmi) ? BY_MARK : byTaint(context, vmi));
  // Nobody evicts it, who would be blocked.
  return ending.outcome === 'Blocks' ? { ...ending, outcome: 'NeverCompletes' } : ending;
}
