/**
 * When a play shows what was foretold. A verdict is one word; what is asked of the play is all that the word promises, and
 * where it is less, the reason stands beside it and in docs/concepts/accuracy.md.
 */
import type { Otherwise, Outcome, VmVerdict } from '../../forecast/forecast.ts';
import type { VmEnding } from '../rehearsal.ts';
import type { Story } from '../story.ts';
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
const isOnItsWay = (played: VmEnding): boolean => played.result === 'Restarts' && isOff(played);
const isMarkedOnly: Shows = (played, comparison) =>
  played.result === 'HandedOver' && refusals(played) >= leastAsked(comparison);

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

/** Nothing else than what would have happened anyway. What a mark means may be another thing with another configuration. */
const asWithout: Shows = ({ result, story }, { verdict, action, without }) =>
  (result === without.result || ALSO[action] === result || standsInLine(verdict, story)) &&
  story.outages.length === without.story.outages.length &&
  story.moves.length === without.story.moves.length &&
  // A pod that is on its way out may be evicted besides, and one that is not up yet.
  (story.evictionsAccepted === without.story.evictionsAccepted ||
    verdict.reason === 'BeingDeleted' ||
    verdict.answer?.code === 201);

/** A migration from before that a closed cap keeps waiting, and that the updater no longer takes back. */
const standsInLine = ({ reason }: VmVerdict, { attempts }: Story): boolean =>
  reason === 'NoMigrationPlaces' && attempts > 0;

/** Where nothing becomes of a VM: a mark means another thing with another configuration, and a single request may be refused. */
const ALSO: Partial<Record<TrialAction, Outcome>> = { config: 'HandedOver', evict: 'Blocks' };

/** How often an eviction that is refused is asked for at least: kubectl asks no second time after an error. */
function leastAsked({ verdict, action }: Comparison): number {
  return action === 'evict' || (action === 'drain' && verdict.answer?.code === 500) ? 1 : 2;
}

/** Refused whenever it was asked, and asked again. The updater does not while there is a migration, be it one that never begins. */
const isRefused: Shows = (played, comparison) => {
  const isHeldBack =
    refusals(played) >= leastAsked(comparison) || standsInLine(comparison.verdict, played.story);
  return isUntouched(played) && played.story.evictionsAccepted === 0 && isHeldBack;
};

/** Who asks for evictions is refused all the while. */
const isStuck: Shows = (played, comparison) =>
  isUntouched(played) && (!EVICTING.has(comparison.action) || isRefused(played, comparison, 'clean'));

/** The updater evicts as well, but not those that it has moved. */
const EVICTING: ReadonlySet<TrialAction> = new Set(['drain', 'evict']);

/** KubeVirt tries, unless a cap keeps it from even that. A migration with hot-plugged volumes is a single one that goes on for ever, with one target pod after another. */
const neverMoves: Shows = (played, comparison, guests) => {
  const { attempts } = played.story;
  const isTried = comparison.looksFirst
    ? attempts <= comparison.without.story.attempts || TRIED.has(comparison.verdict.reason)
    : attempts > 0 || comparison.verdict.reason === 'NoMigrationPlaces';
  return isTried && isStuck(played, comparison, guests);
};

/** Drover looks at the one cap that KubeVirt's updater looks at; and a quota may have a place while another VM restarts. */
const TRIED: ReadonlySet<string> = new Set(['QuotaExceeded', 'NoMigrationPlaces']);

/** Refused, and no migration failed either, but for one from before that the verdict tells of. */
const isBlocked: Shows = (played, comparison, guests) =>
  isRefused(played, comparison, guests) &&
  (played.story.failures === 0 || FROM_BEFORE.test(comparison.verdict.message));
const FROM_BEFORE = /\bmigration (that is )?under way\b/;

/** A budget lets it go after all. */
const isShutDown: Shows = ({ story }) => story.evictionsAccepted > 0 && story.outages.length === 1;

const SHOWS: Readonly<Record<Outcome, Shows>> = {
  Cut: ({ result }) => result === 'Cut',
  Blocks: isBlocked,
  /** Who may move stands in line behind others, and may not be tried at all. */
  NeverCompletes: (...play) => neverMoves(...play) || (tells(play[1], 'Moves') && isStuck(...play)),
  StaysOff: (played, { verdict }) =>
    verdict.reason === 'NoNodeFits' ? isOff(played) : played.result === 'StaysOff',
  MayStayOff: (played, ...rest) =>
    rest[1] === 'clean' ? played.result === 'StaysOff' : isBack(played, ...rest),
  /** What a cluster that was drawn consists of is all there. */
  Unknown: () => false,
  HandedOver: (played, comparison, guests) =>
    (BY_OTHERS[comparison.verdict.reason] ?? isDeleted)(played, comparison, guests),
  Restarts: (played, comparison, guests) =>
    (WAITING[comparison.verdict.reason] ?? isBack)(played, comparison, guests),
  Deferred: asWithout,
  LiveMigrates: hasMoved,
  Untouched: asWithout,
};

const isLeftAlone: Shows = (played) => isUntouched(played) && played.story.evictionsAccepted === 0;

/** Down once more and moved once more at most than its outcome says. */
const isMetAgain: Shows = (played, { verdict, without }) => {
  const outages = without.story.outages.length + (RESTARTS.has(verdict.outcome) ? 2 : 1);
  const moves = movesDue(without) + (verdict.outcome === 'LiveMigrates' ? 2 : 1);
  return played.story.outages.length <= outages && successes(played) <= moves;
};
const RESTARTS: ReadonlySet<Outcome> = new Set(['Restarts', 'MayStayOff', 'HandedOver']);

/** Room may come or not. */
const isBackOrOnItsWay: Shows = (...play) => isBack(...play) || isOnItsWay(play[0]);

/** Nobody uncordons but who boots the node. */
const isBackOnceUncordoned: Shows = (...play) =>
  isOnItsWay(play[0]) || (play[1].givesBack && isBack(...play));

const WAITING: Readonly<Record<string, Shows>> = {
  WaitsForRoom: isBackOrOnItsWay,
  WaitsForUncordon: isBackOnceUncordoned,
};

/** The VM goes with its Machine, which is replaced. */
const isGone: Shows = (played) => isOff(played) && played.result !== 'Restarts';

/** Chance may say another thing with the action than without it, where that does nothing to the VM. */
const isReplacedOrBack: Shows = (played, comparison, guests) => {
  const isChance =
    UNREACHED.has(comparison.verdict.outcome) && isGone(comparison.without, comparison, guests);
  return isGone(played, comparison, guests) || (isChance && isBack(played, comparison, guests));
};

/** CAPK deletes the VMI, and the run strategy does what is told: the VM is back, or on its way, or off for good. */
const isDeleted: Shows = (played, comparison, guests) =>
  comparison.verdict.message.includes('the VM stays off')
    ? played.result === 'StaysOff'
    : isBackOrOnItsWay(played, comparison, guests);

/** What those do who act on marks, by the reason of the verdict. */
const BY_OTHERS: Readonly<Record<string, Shows>> = {
  CapkMigrates: hasMoved,
  CapkMigrationFails: isDeleted,
  /** There is no room now; others may leave some. What it does without is told too. */
  CapkMayMigrate: (played, ...rest) => hasMoved(played, ...rest) || isDeleted(played, ...rest),
  MachineReplaced: isGone,
  ExternalControllerUnknown: isMarkedOnly,
};

const UNREACHED: ReadonlySet<Outcome> = new Set(['Deferred', 'Untouched']);

/** The other ways that a verdict tells of: chance or others decide between them. */
const OTHERWISE: Readonly<Record<Otherwise, Shows>> = {
  Moves: hasMoved,
  /** The action may not reach it at all. */
  Stays: (...play) => (UNREACHED.has(play[1].verdict.outcome) ? isLeftAlone : isStuck)(...play),
  Refused: isBlocked,
  ShutDown: isShutDown,
  /** A guest that shuts down when asked is not started again where that is what decides. */
  Waits: (played, { verdict }, guests) =>
    isOnItsWay(played) && !(verdict.outcome === 'MayStayOff' && guests === 'clean'),
  Cut: ({ result }) => result === 'Cut',
  Replaced: isReplacedOrBack,
  NotReached: isLeftAlone,
  MetAgain: isMetAgain,
};

function tells({ verdict }: Comparison, way: Otherwise): boolean {
  return verdict.otherwise?.includes(way) === true;
}

/** Whether what was foretold is what a play has shown, in one of the ways that the verdict tells. */
export function cameTrue(played: VmEnding, comparison: Comparison, guests: Guests): boolean {
  const { outcome, otherwise = [] } = comparison.verdict;
  return [SHOWS[outcome], ...otherwise.map((way) => OTHERWISE[way])].some((shows) =>
    shows(played, comparison, guests),
  );
}
