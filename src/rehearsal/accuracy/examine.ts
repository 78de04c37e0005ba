import type { Forecast, Outcome, VmVerdict } from '../../forecast/forecast.ts';
import { type Comparison, differences } from './agreement.ts';
import { type Endings, foretell, play } from './play.ts';
import type { Trial } from './trial.ts';

/** What was foretold of one VM, and in which plays it went otherwise; none: it came true. */
export interface VmFinding extends Comparison {
  readonly differs: readonly ('clean' | 'ignores')[];
  /** It was foretold to lack room as things stand, and another VM of the same action gave some free. */
  readonly gotRoom: boolean;
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
  const plays = {
    clean: await play(trial, 'clean'),
    ignores: await play(trial, 'ignores'),
    without: await play(trial, 'clean', false),
  };
  const mayStarve = starves(trial, forecast);
  const compared = forecast.status.vms.map((verdict) => ({
    ...compare(verdict, plays, mayStarve),
    looksFirst: trial.behavior === 'intended',
  }));
  const vms = compared.map((comparison) => {
    const gotRoom =
      LACKS_ROOM.has(comparison.verdict.reason) && compared.some((other) => gaveRoom(other, comparison));
    return { ...comparison, differs: differences(comparison), gotRoom };
  });
  return { trial, vms };
}

/** Verdicts on what there is room for before anybody has gone: a quota, a node, a budget. */
const LACKS_ROOM: ReadonlySet<string> = new Set(['QuotaExceeded', 'NoRoom', 'WaitsForRoom']);

function gaveRoom(other: Comparison, { verdict }: Comparison): boolean {
  const { moves, outages } = other.clean.story;
  return other.verdict !== verdict && moves.length + outages.length > 0;
}

function compare(
  verdict: VmVerdict,
  plays: Record<'clean' | 'ignores' | 'without', Endings>,
  starve: boolean,
): Omit<Comparison, 'looksFirst'> {
  const of = (endings: Endings) => {
    const ending = endings.get(`${verdict.namespace}/${verdict.name}`);
    if (!ending) throw new Error(`${verdict.namespace}/${verdict.name} was foretold, and never ran`);
    return ending;
  };
  return {
    ...{ verdict, clean: of(plays.clean), ignores: of(plays.ignores), without: of(plays.without) },
    mayStarve: starve && verdict.answer !== undefined,
  };
}

/** Evictions that are refused each time. */
const REFUSED: ReadonlySet<Outcome> = new Set(['Blocks', 'HandedOver', 'NeverCompletes', 'Deferred']);

/** KubeVirt takes its batches from the beginning of a list that keeps its order: who is refused comes first again. */
function starves({ action, behavior, cluster }: Trial, { status }: Forecast): boolean {
  const { batchEvictionSize: size = 10 } = cluster.kubevirt ?? {};
  const refused = status.vms.filter(({ answer, outcome }) => answer?.code === 429 && REFUSED.has(outcome));
  return action === 'upgrade' && behavior === 'exact' && refused.length >= size;
}
