import { hasHotplugVolumes } from '../../decide/migration/subject.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import { type Ending, GOES_DOWN, ledBy } from '../ending.ts';
import type { Outcome } from '../forecast.ts';
import { isEvacuated } from './evacuation.ts';

/**
 * A migration from before whose target finds no node ends with that, 300 s after the target was made. Nobody makes it anew, but for the
 * evacuation controller; the updater may evict the VM then. `move`: as the migration ends while things are as they are; `again`: what
 * the updater does about the VM once it has none. A target for plugged volumes is made anew each time, by a migration that goes on.
 */
export function whenGivenUp(context: Context, vmi: Vmi, move: Ending, again: (vmi: Vmi) => Ending): Ending {
  const isFromBefore = context.fleet.unfinishedMigrationsOf(vmi).length > 0;
  if (!isFromBefore || isEvacuated(context, vmi) || hasHotplugVolumes(vmi)) return move;
  const next = again(vmi);
  // Without a place in its quota it waits for ever, and is given up only once it has got one.
  if (move.reason === 'QuotaExceeded')
    return GOES_DOWN.has(next.outcome) ? { ...move, afterwards: next } : move;
  if (!UNSCHEDULABLE.has(move.reason)) return move;
  if (!GOES_DOWN.has(next.outcome) && !REFUSED.has(next.outcome)) return move;
  return {
    ...ledBy('has a migration under way that no node takes; when that is given up, it', next),
    before: move,
  };
}

const UNSCHEDULABLE: ReadonlySet<string> = new Set(['NoNodeFits', 'NoRoom']);

/** The eviction, for good or until its controller has done what it does. */
const REFUSED: ReadonlySet<Outcome> = new Set(['Blocks', 'HandedOver']);
