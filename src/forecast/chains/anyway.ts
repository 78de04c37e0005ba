import type { Vmi } from '../../kubevirt/objects.ts';
import { isFinal, isMarked } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { foreseeEvacuation } from './evacuation.ts';
import { foreseeMarkedBefore } from './external.ts';
import { foreseeShutdown } from './shutdown.ts';
import { moveUnderWay } from './under-way.ts';

/** What becomes of a VM whatever is done to it, for it is being deleted, was marked before, or is to migrate already; undefined: nothing. */
export function foreseeAnyway(context: Context, vmi: Vmi, trail: Trail): Ending | undefined {
  if (isFinal(vmi)) return undefined;
  if (vmi.metadata.deletionTimestamp !== undefined) {
    return foreseeShutdown(context, vmi, trail, { says: 'is being deleted' });
  }
  const handedOver = foreseeMarkedBefore(context, vmi, trail);
  if (handedOver) return handedOver;
  const { evacuationNodeName, nodeName } = vmi.status ?? {};
  const isMarkedHere = isMarked(vmi) && evacuationNodeName === nodeName;
  return isMarkedHere ? foreseeEvacuation(context, vmi, trail) : moveUnderWay(context, vmi, trail);
}
