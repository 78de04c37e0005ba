/** Namespaces, and what limits them. */
import { z } from 'zod';
import { int, intOrPercent, quantities, text, textList, textMap } from './fields.ts';
import { conditionSchema, labelSelectorSchema, objectMetaSchema, typeMeta } from './meta.ts';

export const namespaceSchema = z.object({ ...typeMeta, metadata: objectMetaSchema });
export interface Namespace extends z.infer<typeof namespaceSchema> {}

export const podDisruptionBudgetSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      minAvailable: intOrPercent,
      maxUnavailable: intOrPercent,
      selector: labelSelectorSchema.optional(),
      unhealthyPodEvictionPolicy: text,
    })
    .optional(),
  status: z
    .object({
      disruptionsAllowed: int,
      currentHealthy: int,
      desiredHealthy: int,
      expectedPods: int,
      observedGeneration: int,
      /** Pods by name that an eviction has taken and that are not gone yet, with the time of the eviction. */
      disruptedPods: textMap,
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});
export interface PodDisruptionBudget extends z.infer<typeof podDisruptionBudgetSchema> {}

export const resourceQuotaSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      hard: quantities,
      scopes: textList,
      scopeSelector: z
        .object({
          matchExpressions: z
            .array(z.object({ scopeName: z.string(), operator: z.string(), values: textList }))
            .optional(),
        })
        .optional(),
    })
    .optional(),
  status: z
    .object({
      hard: quantities,
      used: quantities,
    })
    .optional(),
});
export interface ResourceQuota extends z.infer<typeof resourceQuotaSchema> {}
