/** Cluster API v1.10.1, and CAPK (cluster-api-provider-kubevirt) v0.1.10. */
import { z } from 'zod';
import { flag, int, intOrPercent, text } from './fields.ts';
import { conditionSchema, labelSelectorSchema, objectMetaSchema, templateMeta, typeMeta } from './meta.ts';
import { virtualMachineSchema } from './vm.ts';

/** CAPK (cluster-api-provider-kubevirt) v0.1.10. */
export const kubevirtMachineSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      virtualMachineTemplate: z
        .object({
          metadata: templateMeta,
          spec: virtualMachineSchema.shape.spec,
        })
        .optional(),
    })
    .optional(),
  status: z.object({ ready: flag, failureReason: text, failureMessage: text }).optional(),
});
export interface KubevirtMachine extends z.infer<typeof kubevirtMachineSchema> {}

/** Cluster API v1.10.1. */
export const machineSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      clusterName: text,
      infrastructureRef: z.object({ kind: text, name: text, namespace: text }).optional(),
      nodeDrainTimeout: text,
    })
    .optional(),
  status: z
    .object({
      phase: text,
      failureReason: text,
      failureMessage: text,
      nodeRef: z.object({ name: text }).optional(),
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});
export interface Machine extends z.infer<typeof machineSchema> {}

export const machineSetSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z.object({ replicas: int, clusterName: text, selector: labelSelectorSchema.optional() }).optional(),
});
export interface MachineSet extends z.infer<typeof machineSetSchema> {}

export const machineHealthCheckSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      clusterName: text,
      selector: labelSelectorSchema.optional(),
      maxUnhealthy: intOrPercent,
      nodeStartupTimeout: text,
      unhealthyConditions: z.array(z.object({ type: text, status: text, timeout: text })).optional(),
    })
    .optional(),
  status: z
    .object({ expectedMachines: int, currentHealthy: int, conditions: z.array(conditionSchema).optional() })
    .optional(),
});
export interface MachineHealthCheck extends z.infer<typeof machineHealthCheckSchema> {}
