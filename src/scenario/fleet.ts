import { seededRandom } from '../simulation/seeded-random.ts';
import type { FleetRecipe } from './fleet-schema.ts';
import type { ScenarioNode, ScenarioVm } from './schema.ts';

/** A fleet of a scenario in the words of a small cluster. */
export interface DrawnFleet {
  readonly nodes: readonly ScenarioNode[];
  readonly vms: readonly ScenarioVm[];
}

type Weights = Readonly<Record<string, number>>;

/**
 * Nodes `node-0001`, … and VMs `vm-00001`, … spread evenly over them.
 *
 * Promise: the same recipe gives the same fleet; a recipe with more VMs begins with those of the one with fewer.
 */
export function drawFleet(recipe: FleetRecipe): DrawnFleet {
  const { nodeCpu = 128, nodeMemory = '1Ti' } = recipe;
  const chance = seededRandom(recipe.seed ?? 1);
  const names = Array.from({ length: recipe.nodes }, (_, i) => `node-${numbered(i, 4)}`);
  const nodes = names.map((name) => ({ name, cpu: nodeCpu, memory: nodeMemory }));
  const vms = Array.from({ length: recipe.vms }, (_, i) =>
    drawVm(recipe, `vm-${numbered(i, 5)}`, names[i % names.length], () => chance.next()),
  );
  return { nodes, vms };
}

function drawVm(
  { migratable = 1, strategies = {}, runStrategies = {}, memory = {} }: FleetRecipe,
  name: string,
  node: string | undefined,
  next: () => number,
): ScenarioVm {
  const [strategy, runStrategy, size, moves] = [next(), next(), next(), next()];
  return {
    name,
    node,
    strategy: pick(strategies, strategy) ?? 'LiveMigrateIfPossible',
    runStrategy: pick(runStrategies, runStrategy) ?? 'Always',
    memory: pick(memory, size) ?? '4Gi',
    migratable: moves < migratable ? true : 'DisksNotLiveMigratable',
  };
}

/** The value at a drawn number from 0 to 1; none where there are no weights. */
function pick(weights: Weights, drawn: number): string | undefined {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  let left = drawn * total;
  for (const [value, weight] of Object.entries(weights)) {
    left -= weight;
    if (left < 0) return value;
  }
  return undefined;
}

function numbered(index: number, digits: number): string {
  return String(index + 1).padStart(digits, '0');
}
