import type { Scenario } from '../scenario/schema.ts';
import type { Actor } from '../simulation/actors/actor.ts';
import { capk } from '../simulation/actors/external/capk.ts';
import { healthChecks } from '../simulation/actors/external/health-checks.ts';
import { machineSets } from '../simulation/actors/external/machine-sets.ts';
import { machineController } from '../simulation/actors/external/machines.ts';
import type { ActorWorlds } from '../simulation/kubevirt-actors.ts';

/** Those who act on the marks of External VMIs in a scenario, in memory or in a lab; none where nobody is to. */
export function externalActors(worlds: ActorWorlds, { settings }: Scenario): Actor[] {
  const { external = 'none', behavior = 'exact' } = settings;
  if (external === 'none') return [];
  return [
    capk(worlds.contextFor('capk'), { build: external, behavior }),
    machineController(worlds.contextFor('machines')),
    healthChecks(worlds.contextFor('health-checks')),
    machineSets(worlds.contextFor('machine-sets')),
  ];
}
