import { type Ending, isInUnknownHands } from '../ending.ts';

/** What becomes of the room that a VM holds: it goes to another node, it is given up and asked for anew, or it is given up. */
export type Manner = 'moves' | 'restarts' | 'leaves';

/** A budget may refuse it after all, and a controller that takes it away may be long about it. */
export function isGoneForSure({ outcome, budget }: Ending): boolean {
  return outcome === 'StaysOff' && budget === undefined;
}

const MOVING: ReadonlySet<string> = new Set(['CapkMigrates', 'CapkMayMigrate']);
const UNPLACED: ReadonlySet<string> = new Set(['WaitsForUncordon', 'NoNodeFits']);

/** Its launcher is evicted before its guest is there. */
export function isLaunchedAnew({ reason, answer }: Ending): boolean {
  return reason === 'NotScheduled' && answer?.code === 201;
}

/** Nothing starts it again, or nothing can: a launcher that no node takes is there all the same, and counts for quotas. */
export function isWithoutLauncher({ outcome, reason, goesAway }: Ending): boolean {
  return goesAway === true || outcome === 'MayStayOff' || (outcome === 'StaysOff' && reason !== 'NoNodeFits');
}

/** Absent: it stays where it is. */
export function mannerOf(ending: Ending): Manner | undefined {
  const { outcome, reason } = ending;
  if (isLaunchedAnew(ending)) return 'restarts';
  switch (outcome) {
    case 'LiveMigrates':
      return 'moves';
    case 'StaysOff':
      return 'leaves';
    case 'Restarts':
    case 'MayStayOff':
      return UNPLACED.has(reason) ? 'leaves' : 'restarts';
    case 'HandedOver':
      return mannerInOtherHands(ending);
    // A budget that refuses may let it go after all.
    case 'Blocks':
      return ending.noneToSpare !== undefined || ending.spentBy !== undefined ? 'restarts' : undefined;
    default:
      return undefined;
  }
}

function mannerInOtherHands(ending: Ending): Manner | undefined {
  const { reason, goesAway } = ending;
  if (isInUnknownHands(ending)) return undefined;
  if (MOVING.has(reason)) return 'moves';
  // Whoever replaces it asks for as much.
  return goesAway && reason !== 'MachineReplaced' ? 'leaves' : 'restarts';
}
