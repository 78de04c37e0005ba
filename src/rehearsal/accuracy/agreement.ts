/**
 * When a play shows what was foretold. A verdict is one word; what is asked of the play is all that the word promises, and
 * where it is less, the reason stands beside it and in docs/concepts/accuracy.md.
 */
import type { Outcome, VmVerdict } from '../../forecast/forecast.ts';
import type { VmEnding } from '../rehearsal.ts';
import type { Guests } from './guests.ts';
import type { TrialAction } from './trial.ts';

/** A verdict on a VM, and what must be known to compare it with a play. */
export interface Comparison {
  readonly verdict: VmVerdict;
  readonly action: TrialAction;
  /** What became of it where nothing was done to the cluster at all. */
  readonly without: VmEnding;
  /** Drover begins no migration before a node can take it; KubeVirt tries one after the other. */
  readonly looksFirst: boolean;
  /** Whoever empties the node gives it back when it is done. */
  readonly givesBack: boolean;
}

/** Whether a play, with guests of one kind, shows what was foretold. */
type Shows = (played: VmEnding, comparison: Comparison, guests: Guests) => boolean;

const isUntouched = ({ story }: VmEnding): boolean => story.moves.length === 0 && story.outages.length === 0;
const refusals = ({ story }: VmEnding): number => [...story.refusals.values()].reduce((sum, n) => sum + n, 0);
const isOff = ({ story }: VmEnding): boolean =>
  story.outages.length > 0 && story.outages.at(-1)?.upAt === undefined;
/** Up again, and down once more at most than it would have been anyway: what was due before may come first. */
const isBack: Shows = ({ result, story }, { without }) =>
  result === 'Restarts' &&
  story.outages.length <= without.story.outages.length + 1 &&
  story.outages.at(-1)?.upAt !== undefined;
/** Its launcher is there, and waits for a node. */
const isOnItsWay: Shows = (played) => played.result === 'Restarts' && isOff(played);
const isMarkedOnly = (played: VmEnding): boolean => played.result === 'HandedOver' && refusals(played) > 1;

const successes = ({ story }: VmEnding): number =>
  story.moves.filter(({ failed }) => failed === undefined).length;

/** Moves that come about anyway, or would if others were not in the way. */
const movesDue = (without: VmEnding): number => successes(without) || Math.min(without.story.attempts, 1);

/**
 * Moved, and at most once more than it would have anyway: a move that was due before may come first. Attempts that failed do
 * not count, since another VM may have been in the way.
 */
const hasMoved: Shows = (played, { without }) =>
  played.result === 'LiveMigrates' && successes(played) <= movesDue(without) + 1;

/** Nothing else than what would have happened anyway. */
const asWithout: Shows = ({ result, story }, { verdict, without }) =>
  result === without.result &&
  story.outages.length === without.story.outages.length &&
  story.moves.length === without.story.moves.length &&
  // A pod that is on its way out may be evicted besides.
  (story.evictionsAccepted === without.story.evictionsAccepted || verdict.reason === 'BeingDeleted');

/**
 * Refused whenever it was asked, and asked again. kubectl asks no second time after an error, and the updater does not while there is
 * a migration, be it one that never begins.
 */
const isRefused: Shows = (played, { verdict, action }) => {
  const isAskedOnce = action === 'drain' && verdict.answer?.code === 500;
  const least = isAskedOnce ? 1 : 2;
  const standsInLine = verdict.reason === 'NoMigrationPlaces' && played.story.attempts > 0;
  const isHeldBack = refusals(played) >= least || standsInLine;
  return isUntouched(played) && played.story.evictionsAccepted === 0 && isHeldBack;
};

/** A drain is refused all the while. */
const isStuck: Shows = (played, comparison) =>
  isUntouched(played) && (comparison.action === 'upgrade' || isRefused(played, comparison, 'clean'));

/** KubeVirt tries. A migration with hot-plugged volumes is a single one that goes on for ever, with one target pod after another. */
const neverMoves: Shows = (played, comparison, guests) => {
  const { attempts } = played.story;
  const isTried = comparison.looksFirst
    ? attempts <= comparison.without.story.attempts || TRIED.has(comparison.verdict.reason)
    : attempts > 0;
  return isTried && isStuck(played, comparison, guests);
};

/** Drover looks at nodes and not at quotas, which the API server answers; and at the one cap that KubeVirt's updater looks at. */
const TRIED: ReadonlySet<string> = new Set(['QuotaExceeded', 'NoMigrationPlaces']);

/** Refused, and no migration failed either, but for one from before that the verdict tells of. */
const isBlocked: Shows = (played, comparison, guests) =>
  isRefused(played, comparison, guests) &&
  (played.story.failures === 0 || FROM_BEFORE.test(comparison.verdict.message));
const FROM_BEFORE = /\bmigration (that is )?under way\b/;

/** A budget may let it go after all, while another VM moves or because its turn came first: the verdict tells that too. */
const isBlockedOrEvicted: Shows = (played, comparison, guests) => {
  const { evictionsAccepted, outages } = played.story;
  const mayGo = MAY_GO.test(comparison.verdict.message);
  return isBlocked(played, comparison, guests) || (mayGo && evictionsAccepted > 0 && outages.length === 1);
};
const MAY_GO = /; but while .* shuts it down$|; should it be evicted first, it is shut down/;

/** A budget may refuse it, if others were there first: the verdict tells that too. */
const unlessRefused =
  (shows: Shows): Shows =>
  (played, comparison, guests) =>
    shows(played, comparison, guests) ||
    (MAY_STAY.test(comparison.verdict.message) && isBlocked(played, comparison, guests));
const MAY_STAY = /; should .* be evicted before it, it is refused instead$/;

const SHOWS: Readonly<Record<Outcome, Shows>> = {
  Cut: ({ result }) => result === 'Cut',
  Blocks: isBlockedOrEvicted,
  NeverCompletes: (...play) => neverMoves(...play) || (mayMove(play[1]) && movesOrWaits(...play)),
  StaysOff: unlessRefused((played, { verdict }) =>
    verdict.reason === 'NoNodeFits' ? isOff(played) : played.result === 'StaysOff',
  ),
  MayStayOff: unlessRefused((played, comparison, guests) => {
    if (guests === 'clean') return played.result === 'StaysOff';
    const mayWait = WAITS.test(comparison.verdict.message) || isContested(comparison);
    return isBack(played, comparison, guests) || (mayWait && isOnItsWay(played, comparison, guests));
  }),
  /** What a cluster that was drawn consists of is all there. */
  Unknown: () => false,
  HandedOver: (played, comparison, guests) =>
    (BY_OTHERS[comparison.verdict.reason] ?? isDeleted)(played, comparison, guests),
  Restarts: unlessRefused((played, comparison, guests) =>
    (WAITING[comparison.verdict.reason] ?? isBackUnlessContested)(played, comparison, guests),
  ),
  Deferred: (...play) =>
    asWithout(...play) || (TRIES.test(play[1].verdict.message) && isStayingOrMoved(...play)),
  LiveMigrates: (...play) => hasMoved(...play) || (isContested(play[1]) && isStuck(...play)),
  Untouched: (...play) =>
    asWithout(...play) || (MAY_BE_MET.test(play[1].verdict.message) && isMetOnce(...play)),
};

/** Others of the same action may take the room before it: the verdict tells that too. */
function isContested({ verdict }: Comparison): boolean {
  return CONTESTED.test(verdict.message);
}
const CONTESTED =
  /, unless others take it|; should (its|the) target .*be put |; should .* take (the room|its room|its place in the quota) before /;

/** Others take the room or hold the places, if not by chance it comes first: the verdict tells that too. */
function mayMove({ verdict }: Comparison): boolean {
  return MAY_MOVE.has(verdict.reason) || PLACE_FOR_A_MOMENT.test(verdict.message);
}
const PLACE_FOR_A_MOMENT =
  /; should it take the place of .* shut down, it goes|; should .* come to a node that takes it, it follows/;
const MAY_MOVE: ReadonlySet<string> = new Set(['WaitsForRoom', 'RoomTaken', 'PlacesHeld']);

const isLeftAlone: Shows = (played) => isUntouched(played) && played.story.evictionsAccepted === 0;

/** The action does not reach it, and its migration from before may no longer find a node: the verdict tells that too. */
const isStayingOrMoved: Shows = (...play) => isLeftAlone(...play) || hasMoved(...play);
const TRIES = /; meanwhile it .*cannot migrate/;

/** It is back before the launcher is a new one, and is then met like any other: the verdict tells how. */
const isMetOnce: Shows = ({ story, ...played }, { without }) =>
  story.outages.length <= without.story.outages.length + 1 &&
  successes({ story, ...played }) <= successes(without) + 1;
const MAY_BE_MET = /; should it start again before its launcher is a new one, /;

/** Waits for what other VMs of the same action give free, or hold: the verdict names them, and tells both ways. */
const movesOrWaits: Shows = (played, comparison, guests) =>
  hasMoved(played, comparison, guests) || isStuck(played, comparison, guests);

/** Room may come or not. */
const isBackOrOnItsWay: Shows = (...play) => isBack(...play) || isOnItsWay(...play);

/** Nobody uncordons but who boots the node. */
const isBackOnceUncordoned: Shows = (...play) =>
  isOnItsWay(...play) || (play[1].givesBack && isBack(...play));

const isBackUnlessContested: Shows = (...play) =>
  isBack(...play) || (isContested(play[1]) && isOnItsWay(...play));

const WAITING: Readonly<Record<string, Shows>> = {
  WaitsForRoom: isBackOrOnItsWay,
  WaitsForUncordon: isBackOnceUncordoned,
};
const WAITS = /, as soon as a node/;

/** The VM goes with its Machine, which is replaced. */
const isGone: Shows = (played) => isOff(played) && played.result !== 'Restarts';

/**
 * CAPK deletes the VMI, and the run strategy does what is told: the VM is back, or on its way, or off for good; or CAPK has looked
 * in between, where the verdict tells that too.
 */
const isDeleted: Shows = (played, comparison, guests) => {
  const { message } = comparison.verdict;
  if (message.includes('and the VM goes with it') && isGone(played, comparison, guests)) return true;
  return message.includes('the VM stays off')
    ? played.result === 'StaysOff'
    : isBackOrOnItsWay(played, comparison, guests);
};

/** What those do who act on marks, by the reason of the verdict. */
const BY_OTHERS: Readonly<Record<string, Shows>> = {
  CapkMigrates: hasMoved,
  CapkMigrationFails: isDeleted,
  /** There is no room now; others may leave some. What it does without is told too. */
  CapkMayMigrate: (played, ...rest) => hasMoved(played, ...rest) || isDeleted(played, ...rest),
  MachineReplaced: isGone,
  ExternalControllerUnknown: isMarkedOnly,
};

/** Whether what was foretold is what a play has shown. */
export function cameTrue(played: VmEnding, comparison: Comparison, guests: Guests): boolean {
  const { message } = comparison.verdict;
  if (MAY_ONLY_MOVE.test(message) && hasMoved(played, comparison, guests)) return true;
  if (MAY_BE_CUT.test(message) && played.result === 'Cut') return true;
  if (MAY_NOT_COME.test(message) && isLeftAlone(played, comparison, guests)) return true;
  return SHOWS[comparison.verdict.outcome](played, comparison, guests);
}

/** A node before may never be done: the verdict tells that too. */
const MAY_NOT_COME = /; its turn comes once node .* is empty, which is not sure/;

/**
 * A migration from before may be quicker than the shutdown, find what it lacks after all, or begin after the upgrade: the verdict tells
 * that too.
 */
const MAY_ONLY_MOVE =
  /; should (the migration that is under way be done before( the updater takes it back)?|.* for the migration that is under way), it moves|, unless that brings a new one: /;

/** It is on its way, and may be late: the verdict tells that too. */
const MAY_BE_CUT = /; should it still be there after \d+ s, it goes down with the node/;
