import { Fleet } from '../../fleet/fleet.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { type Scenario, scenarioSchema } from '../../scenario/schema.ts';
import { type Beginning, beginningOfScenario, keepingVmis } from '../beginning/prepare.ts';
import type { Rehearsal, VmEnding } from '../rehearsal.ts';
import { runScenario } from '../run.ts';
import { HOUR_SECONDS, quietSecondsOf } from '../settings.ts';
import type { Story } from '../story.ts';
import { TRIAL_ACTIONS } from './actions.ts';
import type { Guests } from './guests.ts';
import type { Trial } from './trial.ts';

/** What became of every VM in one play, by `namespace/name`. */
export type Endings = ReadonlyMap<string, VmEnding>;

/** The trial as a scenario: it can be written to a file and played by itself. */
export function scenarioOf(trial: Trial, guests: Guests, acts = true): Scenario {
  const { launcherImage, external, behavior, seed } = trial;
  const action = TRIAL_ACTIONS[trial.action];
  const cluster = acts ? (action.begins?.(trial) ?? trial.cluster) : trial.cluster;
  return scenarioSchema.parse({
    title: `${trial.action} of seed ${seed}, guests ${guests}`,
    cluster: JSON.parse(JSON.stringify(cluster)),
    settings: { seed, behavior, launcherImage, external: external === 'unknown' ? 'none' : external },
    guests: guests === 'clean' ? [] : [{ shutdown: { kind: 'ignores' } }],
    timeline: acts ? action.timeline(trial) : [],
  });
}

/** What is foretold of the cluster as it was drawn. */
export function foretell(trial: Trial): Forecast {
  const { objects, startAt } = beginningOfScenario(scenarioOf(trial, 'clean', false));
  const fleet = fleetOf(objects);
  for (const kind of KNOWN_KINDS) fleet.noteKnown(kind);
  return foretellFrom(trial, fleet, startAt);
}

/** The objects of a beginning. */
export function fleetOf(objects: Beginning['objects']): Fleet {
  const fleet = new Fleet();
  for (const object of objects) fleet.apply((object as { kind: 'Pod' }).kind, object as never);
  return fleet;
}

/** What is foretold of the cluster as it was read at some time. */
export function foretellFrom(trial: Trial, fleet: Fleet, now: Instant): Forecast {
  const { behavior, external } = trial;
  return TRIAL_ACTIONS[trial.action].foretell(trial, fleet, { now, behavior, external });
}

/** So long at most: chance says who is in a batch, so that a turn may be long in coming. */
const MOST_SECONDS = 4 * HOUR_SECONDS;

/**
 * Plays it to its end, or an hour long, and longer for as long as one of `asked`, by `namespace/name`, has had no turn to be
 * evicted.
 */
export async function play(
  trial: Trial,
  guests: Guests,
  { acts = true, asked = [] }: { readonly acts?: boolean; readonly asked?: readonly string[] } = {},
): Promise<Endings> {
  const drawn = scenarioOf(trial, guests, acts);
  const scenario = { ...drawn, settings: { ...drawn.settings, until: MOST_SECONDS } };
  const beginning = keepingVmis(beginningOfScenario(scenario));
  const quietMs = quietSecondsOf(scenario) * 1000;
  const played: { rehearsal?: Rehearsal } = {};
  await runScenario(scenario, beginning, {
    ...{ seed: trial.seed, keepsEvents: false, quietSeconds: MOST_SECONDS },
    isOver: ({ observer, simulated: { clock } }) => {
      const isQuiet = clock.now() - observer.lastAt >= quietMs;
      const isLate = clock.now() - beginning.startAt >= HOUR_SECONDS * 1000;
      return (isQuiet || isLate) && asked.every((vm) => hadTurns(observer.stories.get(vm)));
    },
    onStart: (rehearsal) => {
      played.rehearsal = rehearsal;
    },
  });
  return played.rehearsal?.endings() ?? new Map();
}

/** Refused twice, or no longer to be asked: something has come of it. */
function hadTurns(story: Story | undefined): boolean {
  if (!story) return true;
  const refusals = [...story.refusals.values()].reduce((sum, times) => sum + times, 0);
  return refusals > 1 || story.attempts > 0 || story.outages.length > 0 || story.isGone;
}
