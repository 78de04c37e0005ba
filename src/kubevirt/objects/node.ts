/** Nodes. */
import { z } from 'zod';
import { flag, quantities, text } from './fields.ts';
import { conditionSchema, objectMetaSchema, typeMeta } from './meta.ts';

export const nodeSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      unschedulable: flag,
      taints: z.array(z.object({ key: z.string(), value: text, effect: z.string() })).optional(),
    })
    .optional(),
  status: z
    .object({
      allocatable: quantities,
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});
export interface Node extends z.infer<typeof nodeSchema> {}
