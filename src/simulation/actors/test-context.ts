import { recordLog, recordMetrics } from '../../controllers/test-records.ts';
import type { MemoryCluster, MemoryClusterOptions } from '../memory-cluster.ts';
import { seededRandom } from '../seeded-random.ts';
import type { World } from '../test-world.ts';
import type { ActorContext } from './actor.ts';

/** An actor's world in memory, on a client of its own. */
export function actorContext(
  world: World,
  options: Partial<MemoryClusterOptions> = {},
): ActorContext & { readonly cluster: MemoryCluster } {
  return {
    cluster: world.connect(options),
    clock: world.clock,
    random: seededRandom(3),
    log: recordLog(),
    metrics: recordMetrics().metrics,
  };
}
