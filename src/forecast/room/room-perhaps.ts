import { keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import type { Context } from '../context.ts';
import { type Ending, orElse } from '../ending.ts';
import type { Foreseen } from '../foreseen.ts';
import { Trail } from '../trail.ts';
import { departuresIn, LACKING, whoLeavesRoom, withRoomOfOthers } from './room-by-others.ts';

/**
 * VMs that no node or quota takes even when those have left who leave for sure: others may leave room for them later, or in time. The
 * verdicts stay what they are, and tell that too. `beside`: VMs that go whatever the action does.
 */
export function withRoomPerhaps(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[],
): Foreseen[] {
  const told = beforeGivenUp(context, afterChance(context, foreseen, beside), beside);
  return meanwhile(context, told, beside);
}

/** The same of VMs on nodes that are drained one after another: those of nodes that come later may leave room for them. */
export function withRoomLater(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  if (!foreseen.some(lacksSome)) return [...foreseen];
  const after = withRoomOfOthers(context, foreseen.map(asByChance), []);
  return afterThem(
    foreseen,
    after,
    'should those of nodes that are drained later leave room for it, it moves',
  );
}

/** Those who are met later, or move by chance, may leave room. */
function afterChance(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[],
): Foreseen[] {
  const perhaps = [...foreseen, ...beside].filter(({ ending }) => byChance(ending) !== ending);
  if (perhaps.length === 0 || !foreseen.some(lacksSome)) return [...foreseen];
  const afterAll = withRoomOfOthers(context, foreseen.map(asByChance), beside.map(asByChance));
  const names = someOf(perhaps.map(({ vmi }) => keyOf(vmi)).sort());
  return afterThem(foreseen, afterAll, `should ${names} leave room for it, it moves`);
}

/** `after`: the same, as they end once all that room is there. */
function afterThem(foreseen: readonly Foreseen[], after: readonly Foreseen[], when: string): Foreseen[] {
  return foreseen.map((one, index) => {
    const goes = lacksSome(one) && after[index] && mayMove(after[index].ending);
    return goes ? mayGo(one, when) : one;
  });
}

function asByChance({ vmi, ending }: Foreseen): Foreseen {
  return { vmi, ending: byChance(ending), trail: new Trail(false) };
}

/** As it ends once it is met, or where chance has it move, or a budget lets it go. */
function byChance(ending: Ending): Ending {
  if (ending.metLater) return ending.metLater;
  const { outcome, spentBy, otherwise } = ending;
  if (outcome === 'NeverCompletes' && mayMove(ending))
    return { ...ending, outcome: 'LiveMigrates', reason: 'WaitsForRoom' };
  const mayGoDown = spentBy !== undefined || otherwise?.includes('ShutDown');
  return outcome === 'Blocks' && mayGoDown ? { ...ending, outcome: 'StaysOff' } : ending;
}

function lacksSome({ ending }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && LACKING.has(ending.reason) && !mayMove(ending);
}

function mayMove({ outcome, otherwise }: Ending): boolean {
  return outcome === 'LiveMigrates' || otherwise?.includes('Moves') === true;
}

/** A migration that is given up for want of room may get some in time. */
function beforeGivenUp(
  context: Context,
  foreseen: readonly Foreseen[],
  beside: readonly Foreseen[],
): Foreseen[] {
  if (!foreseen.some(lacksRoomFirst)) return [...foreseen];
  const departures = departuresIn(context, [...foreseen, ...beside]);
  return foreseen.map((one) => {
    const names = lacksRoomFirst(one) ? whoLeavesRoom(context, one.vmi, departures) : [];
    return names.length > 0 ? mayGo(one, `should ${someOf(names)} leave room before that, it moves`) : one;
  });
}

/** Who is left alone may have a migration from before, which others leave room. */
function meanwhile(context: Context, foreseen: readonly Foreseen[], beside: readonly Foreseen[]): Foreseen[] {
  if (!beside.some(lacksSome)) return [...foreseen];
  const after = afterChance(context, withRoomOfOthers(context, beside, foreseen), foreseen);
  const going = new Set(
    after.filter((one, index) => one !== beside[index] && mayMove(one.ending)).map(({ vmi }) => vmi),
  );
  const when = 'should others leave room for the migration that it has already, it moves';
  return foreseen.map((one) => (going.has(one.vmi) && !mayMove(one.ending) ? mayGo(one, when) : one));
}

function lacksRoomFirst({ ending }: Foreseen): boolean {
  return ending.before?.reason === 'NoRoom';
}

function mayGo(one: Foreseen, when: string): Foreseen {
  return { ...one, ending: orElse(one.ending, 'Moves', when) };
}
