import { withBudgetChance } from './budget-chance.ts';
import type { Context } from './context.ts';
import type { Foreseen } from './foreseen.ts';
import { withHeldPlaces } from './held-places.ts';
import { withRoomOfOthers } from './room-by-others.ts';

/** What becomes of each VM once it is known what becomes of all others of the same action. */
export function afterOthers(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  return withBudgetChance(context, withHeldPlaces(context, withRoomOfOthers(context, foreseen)));
}
