import type { Scenario } from '../scenario/schema.ts';
import type { Actor } from '../simulation/actors/actor.ts';
import { capk } from '../simulation/actors/external/capk.ts';
import { healthChecks } from '../simulation/actors/external/health-checks.ts';
import { machineSets } from '../simulation/actors/external/machine-sets.ts';
import { machineController } from '../simulation/actors/external/machines.ts';
import type { ActorWorlds } from '../simulation/kubevirt-actors.ts';
import { behaviorIn, externalIn } from './settings.ts';

/** Those who act on the marks of External VMIs in a scenario, in memory or in a lab; none where nobody is to. */
export function externalActors(worlds: ActorWorlds, scenario: Scenario): Actor[] {
  const external = externalIn(scenario);
  if (external === 'none') return [];
  return [
    capk(worlds.contextFor('capk'), { build: external, behavior: behaviorIn(scenario) }),
    machineController(worlds.contextFor('machines')),
    healthChecks(worlds.contextFor('health-checks')),
    machineSets(worlds.contextFor('machine-sets')),
  ];
}
