import type { Outcome, VmVerdict } from '../../forecast/forecast.ts';
import type { VmEnding } from '../rehearsal.ts';

/** A verdict on a VM beside what then happened to it. */
export interface Comparison {
  readonly verdict: VmVerdict;
  /** Guests shut down when they are asked to. */
  readonly clean: VmEnding;
  /** Guests ignore the power button. */
  readonly ignores: VmEnding;
  /** Nothing was done to the cluster at all. */
  readonly without: VmEnding;
  /** VMs that are refused for ever take every place in KubeVirt's batches, so that this one may never get its turn. */
  readonly mayStarve: boolean;
  /** Drover begins no migration before a node can take it; KubeVirt tries one after the other. */
  readonly looksFirst: boolean;
}

/** Whether a play shows what was foretold. */
type Shows = (played: VmEnding, comparison: Comparison) => boolean;

const isUntouched = ({ story }: VmEnding): boolean => story.moves.length === 0 && story.outages.length === 0;
const refusals = ({ story }: VmEnding): number => [...story.refusals.values()].reduce((sum, n) => sum + n, 0);
const isOff = ({ story }: VmEnding): boolean =>
  story.outages.length > 0 && story.outages.at(-1)?.upAt === undefined;
const isBack = ({ result, story }: VmEnding): boolean =>
  result === 'Restarts' && story.outages.at(-1)?.upAt !== undefined;
/** Its launcher is there, and waits for a node. */
const isOnItsWay = (played: VmEnding): boolean => played.result === 'Restarts' && isOff(played);
const isMarkedOnly = (played: VmEnding): boolean => played.result === 'HandedOver' && refusals(played) > 1;

/** Nothing else than what would have happened anyway. */
const asWithout: Shows = ({ result, story }, { without }) =>
  result === without.result &&
  story.outages.length === without.story.outages.length &&
  story.moves.length === without.story.moves.length &&
  story.evictionsAccepted === without.story.evictionsAccepted;

/** Refused whenever it was asked, and asked again, unless the answer was an error; or its migration stands in line for ever. */
const isRefused: Shows = (played, { verdict }) => {
  const { attempts, evictionsAccepted } = played.story;
  const least = verdict.answer?.code === 500 ? 1 : 2;
  const isHeldBack = refusals(played) >= least || attempts > 0;
  return isUntouched(played) && evictionsAccepted === 0 && isHeldBack;
};

const SHOWS: Readonly<Record<Outcome, Shows>> = {
  Cut: ({ result }) => result === 'Cut',
  Blocks: (played, comparison) => isRefused(played, comparison) && played.story.failures === 0,
  /** With hot-plugged volumes a single migration goes on for ever, with one target pod after another. */
  NeverCompletes: (played, { looksFirst }) =>
    isUntouched(played) && (looksFirst || played.story.attempts > 0),
  StaysOff: isOff,
  MayStayOff: (played, { clean, verdict }) => {
    if (played === clean) return played.result === 'StaysOff';
    return isBack(played) || (WAITS.test(verdict.message) && isOnItsWay(played));
  },
  /** What a cluster that was drawn consists of is all there. */
  Unknown: () => false,
  HandedOver: (played, { verdict }) => (BY_OTHERS[verdict.reason] ?? isReplaced)(played),
  Restarts: (played, { verdict }) => isBack(played) || (WAITING.has(verdict.reason) && isOnItsWay(played)),
  Deferred: asWithout,
  LiveMigrates: ({ result }) => result === 'LiveMigrates',
  Untouched: asWithout,
};

const WAITING: ReadonlySet<string> = new Set(['WaitsForRoom', 'WaitsForUncordon']);
const WAITS = /, as soon as a node/;

/** CAPK deletes the VMI, in the end. */
const isReplaced = ({ story }: VmEnding): boolean => story.outages.length > 0;

/** What those do who act on marks, by the reason of the verdict. */
const BY_OTHERS: Readonly<Record<string, (played: VmEnding) => boolean>> = {
  /** What it does when that fails is told too. */
  CapkMigrates: (played) =>
    played.result === 'LiveMigrates' || (played.story.failures > 0 && isReplaced(played)),
  ExternalControllerUnknown: isMarkedOnly,
};

/** The plays of a comparison in which something else happened than was foretold; empty: it came true, whatever the guest did. */
export function differences(comparison: Comparison): ('clean' | 'ignores')[] {
  const { verdict, mayStarve } = comparison;
  return (['clean', 'ignores'] as const).filter((guests) => {
    const played = comparison[guests];
    const isStarved = mayStarve && refusals(played) === 0 && asWithout(played, comparison);
    return !isStarved && !SHOWS[verdict.outcome](played, comparison);
  });
}
