/** What makes VMIs: VirtualMachines, and VirtualMachineInstanceReplicaSets. */
import { z } from 'zod';
import { flag, int, text, textMap } from './fields.ts';
import { conditionSchema, labelSelectorSchema, objectMetaSchema, typeMeta } from './meta.ts';
import { vmiTemplate } from './vmi.ts';

export const virtualMachineSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      runStrategy: text,
      running: flag,
      template: vmiTemplate,
      instancetype: z.object({ name: text, kind: text }).optional(),
      updateVolumesStrategy: text,
    })
    .optional(),
  status: z
    .object({
      printableStatus: text,
      created: flag,
      ready: flag,
      runStrategy: text,
      stateChangeRequests: z.array(z.object({ action: text, uid: text, data: textMap })).optional(),
      startFailure: z
        .object({ consecutiveFailCount: int, lastFailedVMIUID: text, retryAfterTimestamp: text })
        .optional(),
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});
export interface VirtualMachine extends z.infer<typeof virtualMachineSchema> {}

export const replicaSetSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      replicas: int,
      paused: flag,
      selector: labelSelectorSchema.optional(),
      template: vmiTemplate,
    })
    .optional(),
});
/** A VirtualMachineInstanceReplicaSet. */
export interface ReplicaSet extends z.infer<typeof replicaSetSchema> {}
