import { expect, it } from 'vitest';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Forecast, Later, Outcome } from '../../forecast/forecast.ts';
import { changedKubevirt } from '../../forecast/plans/config/changed-kubevirt.ts';
import { planConfig } from '../../forecast/plans/config.ts';
import { planDrain } from '../../forecast/plans/drain.ts';
import { planUpgrade } from '../../forecast/plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import { KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import { beginningOfScenario } from '../beginning/prepare.ts';
import { FURTHER_NAMES } from './further/further.ts';
import { fleetOf, scenarioOf } from './play.ts';
import { drawTrial, type Trial } from './trial.ts';

/** Among them 28, 68, 75, 100 and 141: what was told of each VM by itself, though pods without a controller or other VMs decide. */
const SEEDS = [5, 9, 28, 68, 75, 100, 123, 141, ...Array.from({ length: 20 }, (_, seed) => 200 + seed)];

it.each(SEEDS)('what a changed configuration means later is what is foretold then (seed %i)', (seed) => {
  const trial = drawTrial(seed, 'config', 'exact', FURTHER_NAMES);
  const { vms } = planConfig(fleetFor(trial, false), { set: trial.set ?? [] }, optionsOf(trial)).status;
  const told = (later: Later): readonly Outcome[] => [later.before, later.after];
  const then = (asked: (isChanged: boolean) => Forecast, name: string) =>
    [false, true].map((isChanged) => asked(isChanged).status.vms.find((vm) => vm.name === name)?.outcome);
  for (const { name, node, later = [] } of vms) {
    const [drain, upgrade] = later;
    if (!drain || !upgrade) throw new Error(`nothing is told of ${name}`);
    expect([name, ...told(upgrade)]).toEqual([
      name,
      ...then((isChanged) => upgraded(trial, isChanged), name),
    ]);
    if (node === undefined) continue;
    expect([name, ...told(drain)]).toEqual([
      name,
      ...then((isChanged) => drained(trial, node, isChanged), name),
    ]);
  }
});

function upgraded(trial: Trial, isChanged: boolean): Forecast {
  return planUpgrade(fleetFor(trial, isChanged), { launcherImage: 'L9' }, optionsOf(trial));
}

function drained(trial: Trial, node: string, isChanged: boolean): Forecast {
  return planDrain(fleetFor(trial, isChanged), { ...DRAIN_DEFAULTS, nodes: [node] }, optionsOf(trial));
}

function optionsOf(trial: Trial) {
  const { startAt: now } = beginningOf(trial);
  return { now, behavior: trial.behavior, external: trial.external };
}

function beginningOf(trial: Trial) {
  return beginningOfScenario(scenarioOf(trial, 'clean', false));
}

/** The cluster as it is, or with its configuration changed. */
function fleetFor(trial: Trial, isChanged: boolean): Fleet {
  const fleet = fleetOf(beginningOf(trial).objects);
  for (const kind of KNOWN_KINDS) fleet.noteKnown(kind);
  const kubevirt = fleet.kubevirt();
  if (isChanged && kubevirt) fleet.apply('KubeVirt', changedKubevirt(kubevirt, { set: trial.set ?? [] }));
  return fleet;
}
