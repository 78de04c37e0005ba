import { kubevirtOf, migrationsOf, nodeOf, podOf, virtControllerOf, vmOf } from './fleet/others.ts';
import { Chance } from './fleet/random.ts';
import { drawTraits, type FleetRecipe, nodeNameOf, shapeOf, type Traits } from './fleet/traits.ts';
import { vmiOf, vmiSpecOf } from './fleet/vmi.ts';

export { CURRENT_IMAGE, type FleetRecipe, OUTDATED_IMAGE } from './fleet/traits.ts';

/**
 * The objects of a cluster with `vms` VirtualMachines, one after another: the KubeVirt CR, virt-controller's Deployment,
 * the nodes, then each VM with its VMI, launcher pod and migrations. Phases, strategies, conditions, disks and sizes
 * are mixed as in a real fleet. The same recipe gives the same fleet, and memory does not grow with its size.
 */
export function* generateFleet(recipe: FleetRecipe): Generator<object> {
  const chance = new Chance(recipe.seed ?? 1);
  yield kubevirtOf(chance);
  yield virtControllerOf(chance);
  const { nodes } = shapeOf(recipe);
  for (let i = 0; i < nodes; i++) yield nodeOf(nodeNameOf(i), i, chance);
  for (let i = 0; i < recipe.vms; i++) yield* generateVm(chance, i, recipe);
}

/** One VM in 21 is halted, so that it has no VMI. */
function* generateVm(chance: Chance, index: number, recipe: FleetRecipe): Generator<object> {
  const traits = drawTraits(chance, index, recipe);
  const spec = vmiSpecOf(traits, chance);
  const halted = index % 21 === 20;
  yield vmOf(traits, spec, halted, chance);
  if (halted) return;
  yield vmiOf(traits, spec, chance);
  if (!isFinal(traits)) yield podOf(traits, chance);
  yield* migrationsOf(traits, chance);
}

function isFinal(traits: Traits): boolean {
  return traits.phase === 'Succeeded' || traits.phase === 'Failed';
}
