/** A drawn fleet: how many, and which share of the VMs is how. */
import { z } from 'zod';
import { RUN_STRATEGY, STRATEGY } from '../kubevirt/names.ts';
import { oneOf, processors, size, weightsOf } from './words.ts';

const share = z.number().min(0).max(1);

export const fleetSchema = z.strictObject({
  nodes: z.int().min(1).describe('How many nodes: node-0001 and so on.'),
  vms: z.int().min(0).describe('How many VMs: vm-00001 and so on, spread evenly over the nodes.'),
  seed: z
    .int()
    .optional()
    .describe('The same seed gives the same fleet, whatever the seed of the run; absent: 1.'),
  migratable: share
    .optional()
    .meta({ description: 'Share of the VMs that can live-migrate; absent: 1, all.', examples: [0.95] }),
  strategies: weightsOf(oneOf(Object.values(STRATEGY)))
    .optional()
    .meta({
      description: 'Eviction strategies of the VMIs, with weights; absent: all LiveMigrateIfPossible.',
      examples: [{ LiveMigrate: 3, External: 1 }],
    }),
  runStrategies: weightsOf(oneOf(Object.values(RUN_STRATEGY)))
    .optional()
    .meta({
      description: 'Run strategies of the VMs, with weights; absent: all Always.',
      examples: [{ Always: 9, Manual: 1 }],
    }),
  memory: weightsOf(size)
    .optional()
    .meta({
      description: 'Sizes of the guests, with weights; absent: all 4Gi.',
      examples: [{ '4Gi': 3, '32Gi': 1 }],
    }),
  nodeCpu: processors.optional().describe('CPUs of each node for pods; absent: 128.'),
  nodeMemory: size.optional().describe('Memory of each node for pods; absent: 1Ti.'),
});
export type FleetRecipe = z.infer<typeof fleetSchema>;
