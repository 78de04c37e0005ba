import { Fleet, KINDS } from '../../fleet/fleet.ts';
import { planDrain } from '../../forecast/drain.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import { planUpgrade } from '../../forecast/upgrade.ts';
import { type Scenario, scenarioSchema } from '../../scenario/schema.ts';
import { type Beginning, beginningOfScenario } from '../prepare.ts';
import type { Rehearsal, VmEnding } from '../rehearsal.ts';
import { runScenario } from '../run.ts';
import { NEXT_LAUNCHER, type Trial } from './trial.ts';

/** What guests make of the power button. */
export const GUESTS = ['clean', 'ignores'] as const;
export type Guests = (typeof GUESTS)[number];

/** What became of every VM in one play, by `namespace/name`. */
export type Endings = ReadonlyMap<string, VmEnding>;

/** The trial as a scenario: it can be written to a file and played by itself. */
function scenarioOf(trial: Trial, guests: Guests, acts = true): Scenario {
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

/** What is foretold. */
export function foretell(trial: Trial): Forecast {
  const { objects, startAt } = beginningOf(trial);
  const fleet = new Fleet();
  for (const object of objects) fleet.apply((object as { kind: 'Pod' }).kind, object as never);
  for (const kind of KINDS) fleet.noteKnown(kind);
  const { behavior, external } = trial;
  const options = { now: startAt, behavior, external };
  if (trial.action === 'upgrade') return planUpgrade(fleet, { launcherImage: NEXT_LAUNCHER }, options);
  return planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: [trial.node] }, options);
}

function beginningOf(trial: Trial): Beginning {
  return beginningOfScenario(scenarioOf(trial, 'clean'));
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
