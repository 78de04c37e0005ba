import type { Forecast, VmVerdict } from '../../forecast/forecast.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import type { VmEnding } from '../rehearsal.ts';
import { type Comparison, cameTrue } from './agreement.ts';
import { GUESTS, type Guests } from './guests.ts';
import { type Endings, foretell, play } from './play.ts';
import type { Trial, TrialAction } from './trial.ts';

/** What became of one VM with guests of one kind, and what became of it where nothing was done to the cluster at all. */
interface Course {
  readonly played: VmEnding;
  readonly without: VmEnding;
}

/** What was foretold of one VM, what happened, and in which plays that was something else; none: it came true. */
export interface VmFinding {
  readonly verdict: VmVerdict;
  /** By the kind of guests; those that were not played are absent. */
  readonly courses: Partial<Record<Guests, Course>>;
  readonly differs: readonly Guests[];
}

export interface Finding {
  readonly trial: Trial;
  readonly vms: readonly VmFinding[];
}

/** The plays of a trial with guests of one kind: with the action, and without it. */
export interface Plays {
  readonly acts: Endings;
  readonly without: Endings;
}

/**
 * Foretells what an action does to a cluster, does it in the simulator with guests of either kind, and compares the two for
 * each VM that the forecast is about.
 */
export async function examine(trial: Trial): Promise<Finding> {
  const forecast = foretell(trial);
  const asked = UPDATING.has(trial.action) ? forecast.status.vms.filter(({ answer }) => answer) : [];
  const playsWith = async (guests: Guests): Promise<Plays> => ({
    acts: await play(trial, guests, { asked: asked.map(keyOfVm) }),
    without: await play(trial, guests, { acts: false }),
  });
  return findingOf(trial, forecast, {
    clean: await playsWith('clean'),
    ignores: await playsWith('ignores'),
  });
}

/** What the updater does something for, in batches. */
const UPDATING: ReadonlySet<TrialAction> = new Set(['upgrade', 'config', 'edit']);

/** What has come of the verdicts of a forecast by plays with guests of some kinds. */
export function findingOf(trial: Trial, forecast: Forecast, plays: Partial<Record<Guests, Plays>>): Finding {
  const vms = forecast.status.vms.map((verdict): VmFinding => {
    const courses: Partial<Record<Guests, Course>> = {};
    const differs: Guests[] = [];
    for (const guests of GUESTS) {
      const { [guests]: both } = plays;
      if (!both) continue;
      const course = { played: endingOf(both.acts, verdict), without: endingOf(both.without, verdict) };
      courses[guests] = course;
      if (!cameTrue(course.played, comparisonOf(trial, verdict, course), guests)) differs.push(guests);
    }
    return { verdict, courses, differs };
  });
  return { trial, vms };
}

function comparisonOf(trial: Trial, verdict: VmVerdict, { without }: Course): Comparison {
  return {
    verdict,
    action: trial.action,
    without,
    looksFirst: trial.behavior === 'intended',
    givesBack: trial.action === 'drain' && GIVES_BACK.has(trial.drain?.client),
  };
}

const GIVES_BACK: ReadonlySet<string | undefined> = new Set(['talosctl', 'talos-node']);

/** What became of the VM of a verdict. Throws where it was not there at all. */
function endingOf(endings: Endings, verdict: VmVerdict): VmEnding {
  const ending = endings.get(keyOfVm(verdict));
  if (!ending) throw new Error(`${keyOfVm(verdict)} was foretold, and never ran`);
  return ending;
}
