/** A drawn fleet: how many, and which share of the VMs is how. */
import { z } from 'zod';

const share = z.number().min(0).max(1);
/** Value → weight. */
const weights = z.record(z.string(), z.number().min(0));

export const fleetSchema = z.strictObject({
  nodes: z.int().min(1),
  vms: z.int().min(0),
  /** The same seed gives the same fleet, whatever the seed of the run. */
  seed: z.int().optional(),
  /** Share of the VMs that can live-migrate; all where absent. */
  migratable: share.optional(),
  /** Eviction strategies with weights, such as `LiveMigrate: 3`; all LiveMigrateIfPossible where absent. */
  strategies: weights.optional(),
  /** Run strategies with weights; all Always where absent. */
  runStrategies: weights.optional(),
  /** Sizes of guests with weights; all 4Gi where absent. */
  memory: weights.optional(),
  nodeCpu: z.union([z.string(), z.number()]).optional(),
  nodeMemory: z.string().optional(),
});
export type FleetRecipe = z.infer<typeof fleetSchema>;
