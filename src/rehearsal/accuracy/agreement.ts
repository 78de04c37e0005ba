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
}

/** Whether a play of one kind of guests shows what was foretold. */
type Shows = (played: VmEnding, comparison: Comparison) => boolean;

const isQuiet = ({ story }: VmEnding): boolean => story.moves.length === 0 && story.outages.length === 0;

/** Refused whenever it was asked, and again; nobody did anything else about it. */
const blocks: Shows = (played) =>
  isQuiet(played) && played.story.evictionsAccepted === 0 && refusals(played) > 1 && played.story.attempts === 0;

function refusals({ story }: VmEnding): number {
  return [...story.refusals.values()].reduce((sum, times) => sum + times, 0);
}

const movesOnly: Shows = ({ story, result }) => result === 'LiveMigrates' && story.evictionsAccepted === 0;
const isOff: Shows = ({ story }) => story.outages.length > 0 && story.outages.at(-1)?.upAt === undefined;
const isBack: Shows = ({ story, result }) => result === 'Restarts' && story.outages.at(-1)?.upAt !== undefined;
const waitsForNode: Shows = (played) => played.result === 'Restarts' && isOff(played, NOTHING);
const NOTHING = undefined as unknown as Comparison;

/** The same as if nothing had been done. */
const asWithout: Shows = ({ result, story }, { without }) =>
  result === without.result &&
  story.outages.length === without.story.outages.length &&
  story.attempts === without.story.attempts &&
  story.evictionsAccepted === without.story.evictionsAccepted;

const triesOn: Shows = (played) => isQuiet(played) && played.result === 'NeverCompletes' && played.story.attempts > 0;

/** What an external controller is told to do, by the reason of the verdict. */
const EXTERNAL: Readonly<Record<string, Shows>> = {
  CapkMigrates: movesOnly,
  CapkBuildUnknown: (played) => played.result === 'HandedOver',
  ExternalControllerUnknown: (played) => played.result === 'HandedOver',
};
/** CAPK deletes its VMI, and the run strategy decides. */
const deletedByCapk: Shows = ({ story }) => story.outages.length > 0;

const SHOWS: Readonly<Record<Outcome, Shows>> = {
  Cut: ({ result }) => result === 'Cut',
  Blocks: blocks,
  NeverCompletes: triesOn,
  StaysOff: isOff,
  MayStayOff: (played, comparison) =>
    played === comparison.clean ? isOff(played, comparison) && played.result === 'StaysOff' : isBack(played, comparison),
  /** Clusters that are drawn lack nothing. */
  Unknown: () => false,
  HandedOver: (played, comparison) => (EXTERNAL[comparison.verdict.reason] ?? deletedByCapk)(played, comparison),
  Restarts: (played, comparison) =>
    WAITS.has(comparison.verdict.reason)
      ? isBack(played, comparison) || waitsForNode(played, comparison)
      : isBack(played, comparison),
  Deferred: asWithout,
  LiveMigrates: movesOnly,
  Untouched: asWithout,
};

const WAITS: ReadonlySet<string> = new Set(['WaitsForRoom', 'WaitsForUncordon']);

/** Whether what was foretold of a VM came true, whatever its guest did. */
export function agrees(comparison: Comparison): boolean {
  const shows = SHOWS[comparison.verdict.outcome];
  return shows(comparison.clean, comparison) && shows(comparison.ignores, comparison);
}
