import type { Forecast, VmVerdict } from '../../forecast/forecast.ts';
import type { VmEnding } from '../rehearsal.ts';
import { type Comparison, cameTrue } from './agreement.ts';
import { GUESTS, type Guests } from './guests.ts';
import { type Endings, foretell, play } from './play.ts';
import type { Trial } from './trial.ts';

/** What was foretold of one VM, what happened, and in which plays that was something else; none: it came true. */
export interface VmFinding extends Comparison {
  /** By the kind of guests; those that were not played are absent. */
  readonly played: Partial<Record<Guests, VmEnding>>;
  readonly differs: readonly Guests[];
}

export interface Finding {
  readonly trial: Trial;
  readonly vms: readonly VmFinding[];
}

/**
 * Foretells what an action does to a cluster, does it in the simulator with guests of either kind, and compares the two for
 * each VM that the forecast is about.
 */
export async function examine(trial: Trial): Promise<Finding> {
  const forecast = foretell(trial);
  const comparisons = comparisonsOf(trial, forecast, await play(trial, 'clean', { acts: false }));
  const asked = trial.action === 'upgrade' ? forecast.status.vms.filter(({ answer }) => answer) : [];
  const options = { asked: asked.map(keyOfVm) };
  return findingOf(trial, comparisons, {
    clean: await play(trial, 'clean', options),
    ignores: await play(trial, 'ignores', options),
  });
}

/** What has come of a trial by plays with guests of some kinds. */
export function findingOf(
  trial: Trial,
  comparisons: readonly Comparison[],
  plays: Partial<Record<Guests, Endings>>,
): Finding {
  const kinds = GUESTS.filter((guests) => plays[guests]);
  const vms = comparisons.map((comparison) => {
    const played = Object.fromEntries(
      kinds.map((guests) => [guests, endingOf(plays[guests], comparison.verdict)]),
    ) as VmFinding['played'];
    const differs = kinds.filter((guests) => !cameTrue(played[guests] as VmEnding, comparison, guests));
    return { ...comparison, played, differs };
  });
  return { trial, vms };
}

/** The verdicts of a forecast, each with what is needed to compare it. `without`: what happens where nothing is done. */
export function comparisonsOf(trial: Trial, forecast: Forecast, without: Endings): Comparison[] {
  return forecast.status.vms.map((verdict) => ({
    verdict,
    action: trial.action,
    without: endingOf(without, verdict),
    looksFirst: trial.behavior === 'intended',
    givesBack: trial.action === 'drain' && GIVES_BACK.has(trial.drain?.client),
  }));
}

const GIVES_BACK: ReadonlySet<string | undefined> = new Set(['talosctl', 'talos-node']);

function keyOfVm({ namespace, name }: VmVerdict): string {
  return `${namespace}/${name}`;
}

/** What became of the VM of a verdict. Throws where it was not there at all. */
function endingOf(endings: Endings | undefined, verdict: VmVerdict): VmEnding {
  const ending = endings?.get(keyOfVm(verdict));
  if (!ending) throw new Error(`${keyOfVm(verdict)} was foretold, and never ran`);
  return ending;
}
