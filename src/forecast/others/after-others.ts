import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';
import { withContest } from '../room/contest.ts';
import { withFollowers } from '../room/followers.ts';
import { withQuotaContest } from '../room/quota-contest.ts';
import { withRoomOfOthers } from '../room/room-by-others.ts';
import { withRoomPerhaps } from '../room/room-perhaps.ts';
import { withBudgetChance } from './budget-chance.ts';
import { bystandersOf } from './bystanders.ts';
import { withHeldPlaces } from './held-places.ts';

/** What becomes of each VM once it is known what becomes of others. */
export type AfterOthers = (
  context: Context,
  foreseen: readonly Foreseen[],
  before: readonly Foreseen[],
) => Foreseen[];

/** Of all VMs of the same action, or of one part of it; `before`: those of the parts that came before. */
export const afterOthers: AfterOthers = (context, foreseen, before) => {
  const beside = bystandersOf(context, [...before, ...foreseen]);
  const others = [...before, ...beside];
  const followed = withFollowers(context, withRoomOfOthers(context, foreseen, others), beside);
  const withRoom = withRoomPerhaps(context, followed, others);
  return beyondRoom(context, withContest(context, withRoom, others), beside);
};

/** The same where somebody else has found room for all of them together. */
export const afterPlacedOthers: AfterOthers = (context, foreseen) =>
  beyondRoom(context, withRoomPerhaps(context, withRoomOfOthers(context, foreseen, []), []), []);

function beyondRoom(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[],
): Foreseen[] {
  return withBudgetChance(context, withQuotaContest(context, withHeldPlaces(context, foreseen, beside)));
}
