import { Fleet, KINDS } from '../../fleet/fleet.ts';
import { planDrain } from '../../forecast/drain.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import { planUpgrade } from '../../forecast/upgrade.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { type Scenario, scenarioSchema } from '../../scenario/schema.ts';
import { type Beginning, beginningOfScenario } from '../prepare.ts';
import type { Rehearsal, VmEnding } from '../rehearsal.ts';
import { runScenario } from '../run.ts';
import type { Guests } from './guests.ts';
import { NEXT_LAUNCHER, type Trial } from './trial.ts';

/** What became of every VM in one play, by `namespace/name`. */
export type Endings = ReadonlyMap<string, VmEnding>;

/** The trial as a scenario: it can be written to a file and played by itself. */
export function scenarioOf(trial: Trial, guests: Guests, acts = true): Scenario {
  const { cluster, launcherImage, external, behavior, seed } = trial;
  return scenarioSchema.parse({
    title: `${trial.action} of seed ${seed}, guests ${guests}`,
    cluster: JSON.parse(JSON.stringify(cluster)),
    settings: { seed, behavior, launcherImage, external: external === 'unknown' ? 'none' : external },
    guests: guests === 'clean' ? [] : [{ shutdown: { kind: 'ignores' } }],
    timeline: acts ? [deedOf(trial)] : [],
  });
}

function deedOf({ action, node }: Trial): object {
  return action === 'drain' ? { at: '1s', drain: { node } } : { at: '1s', launcherImage: NEXT_LAUNCHER };
}

/** What is foretold of the cluster as it was drawn. */
export function foretell(trial: Trial): Forecast {
  const { objects, startAt } = beginningOfScenario(scenarioOf(trial, 'clean'));
  const fleet = fleetOf(objects);
  for (const kind of KINDS) fleet.noteKnown(kind);
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
  const options = { now, behavior, external };
  if (trial.action === 'upgrade') return planUpgrade(fleet, { launcherImage: NEXT_LAUNCHER }, options);
  return planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: [trial.node] }, options);
}

/** Plays it to its end, or an hour long. */
export async function play(trial: Trial, guests: Guests, acts = true): Promise<Endings> {
  const scenario = scenarioOf(trial, guests, acts);
  const played: { rehearsal?: Rehearsal } = {};
  await runScenario(scenario, beginningOfScenario(scenario), {
    seed: trial.seed,
    keepsEvents: false,
    onStart: (rehearsal) => {
      played.rehearsal = rehearsal;
    },
  });
  return played.rehearsal?.endings() ?? new Map();
}
