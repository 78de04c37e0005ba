import { seededRandom } from '../../../simulation/seeded-random.ts';
import { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';
import { budgets } from './budgets.ts';
import { caps } from './caps.ts';
import { devices } from './devices.ts';
import { drains } from './drains.ts';
import { ending } from './ending.ts';
import { going } from './going.ts';
import { migrations } from './migrations.ts';
import { neighbours } from './neighbours.ts';
import { nodes } from './nodes.ts';
import { pods } from './pods.ts';
import { quotas } from './quotas.ts';
import { several } from './several.ts';
import { starting } from './starting.ts';
import { volumes } from './volumes.ts';

/** What a cluster may have besides, by name: each puts more of its own into a trial. */
const FURTHER = {
  neighbours,
  volumes,
  pods,
  nodes,
  going,
  caps,
  budgets,
  migrations,
  drains,
  quotas,
  several,
  ending,
  starting,
  devices,
} as const;
export type FurtherName = keyof typeof FURTHER;
export const FURTHER_NAMES = Object.keys(FURTHER) as readonly FurtherName[];

/**
 * The trial with all of these besides. Each draws for itself, so that what one draws does not hang on the others. What VMs have comes
 * before quotas count it.
 */
export function withFurther(trial: Trial, names: readonly FurtherName[]): Trial {
  const inTurn = [...names].sort((a, b) => Number(b === 'devices') - Number(a === 'devices'));
  return inTurn.reduce((drawn, name) => {
    const chance = seededRandom((trial.seed + 1) * 1000 + FURTHER_NAMES.indexOf(name));
    return { ...FURTHER[name](new Draws(chance), drawn), further: [...drawn.further, name] };
  }, trial);
}
