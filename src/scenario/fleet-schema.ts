/** A drawn fleet: how many, and which share of the VMs is how. */
import { z } from 'zod';
import { RUN_STRATEGY, STRATEGY } from '../kubevirt/names.ts';
import { oneOf, processors, size, weightsOf } from './words.ts';

const share = z.number().min(0).max(1);

export const fleetSchema = z.strictObject({
  nodes: z.int().min(1),
  vms: z.int().min(0),
  /** The same seed gives the same fleet, whatever the seed of the run. */
  seed: z.int().optional(),
  /** Share of the VMs that can live-migrate; all where absent. */
  migratable: share.optional(),
  /** Eviction strategies with weights, such as `LiveMigrate: 3`; all LiveMigrateIfPossible where absent. */
  strategies: weightsOf(oneOf(Object.values(STRATEGY))).optional(),
  /** Run strategies with weights; all Always where absent. */
  runStrategies: weightsOf(oneOf(Object.values(RUN_STRATEGY))).optional(),
  /** Sizes of guests with weights; all 4Gi where absent. */
  memory: weightsOf(size).optional(),
  nodeCpu: processors.optional(),
  nodeMemory: size.optional(),
});
export type FleetRecipe = z.infer<typeof fleetSchema>;
