/** What pods and VMIs say about the nodes that they may run on. */
import { z } from 'zod';
import { int, requirements, text, textList } from './fields.ts';
import { labelSelectorSchema } from './meta.ts';

export const nodeSelectorTermSchema = z.object({
  matchExpressions: requirements,
  matchFields: requirements,
});
export interface NodeSelectorTerm extends z.infer<typeof nodeSelectorTermSchema> {}

const podAffinityTermSchema = z.object({
  labelSelector: labelSelectorSchema.optional(),
  namespaces: textList,
  namespaceSelector: labelSelectorSchema.optional(),
  topologyKey: z.string(),
});
export interface PodAffinityTerm extends z.infer<typeof podAffinityTermSchema> {}

const podAffinitySchema = z
  .object({ requiredDuringSchedulingIgnoredDuringExecution: z.array(podAffinityTermSchema).optional() })
  .optional();

export const affinitySchema = z.object({
  nodeAffinity: z
    .object({
      requiredDuringSchedulingIgnoredDuringExecution: z
        .object({ nodeSelectorTerms: z.array(nodeSelectorTermSchema).optional() })
        .optional(),
      preferredDuringSchedulingIgnoredDuringExecution: z
        .array(z.object({ weight: int, preference: nodeSelectorTermSchema }))
        .optional(),
    })
    .optional(),
  podAffinity: podAffinitySchema,
  podAntiAffinity: podAffinitySchema,
});

export const tolerationSchema = z.object({
  key: text,
  operator: text,
  value: text,
  effect: text,
  tolerationSeconds: int,
});

export const spreadConstraintSchema = z.object({
  maxSkew: int,
  minDomains: int,
  topologyKey: z.string(),
  whenUnsatisfiable: text,
  labelSelector: labelSelectorSchema.optional(),
  matchLabelKeys: textList,
});
