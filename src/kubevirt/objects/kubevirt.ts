/** The KubeVirt CR. */
import { z } from 'zod';
import { int, presence, quantity, text, textList, textMap } from './fields.ts';
import { conditionSchema, objectMetaSchema, typeMeta } from './meta.ts';
import { migrationConfigurationSchema } from './migration.ts';

export const clusterConfigurationSchema = z.object({
  evictionStrategy: text,
  vmRolloutStrategy: text,
  /** Experimental settings come with migration policies only. */
  migrations: migrationConfigurationSchema.omit({ experimental: true }).optional(),
  developerConfiguration: z
    .object({
      featureGates: textList,
      disabledFeatureGates: textList,
      cpuAllocationRatio: int,
      /** Put on every launcher pod, under the VMI's own selector. */
      nodeSelectors: textMap,
    })
    .optional(),
  permittedHostDevices: z
    .object({ mediatedDevices: z.array(z.object({ resourceName: text })).optional() })
    .optional(),
  network: z
    .object({ binding: z.record(z.string(), z.object({ migration: presence })).optional() })
    .optional(),
  liveUpdateConfiguration: z
    .object({ maxHotplugRatio: int, maxCpuSockets: int, maxGuest: quantity })
    .optional(),
});
export interface ClusterConfiguration extends z.infer<typeof clusterConfigurationSchema> {}

export const kubeVirtSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      workloadUpdateStrategy: z
        .object({ workloadUpdateMethods: textList, batchEvictionSize: int, batchEvictionInterval: text })
        .optional(),
      configuration: clusterConfigurationSchema.optional(),
      monitorNamespace: text,
      monitorAccount: text,
      imageTag: text,
      imageRegistry: text,
    })
    .optional(),
  status: z
    .object({
      phase: text,
      targetDeploymentID: text,
      observedDeploymentID: text,
      targetKubeVirtVersion: text,
      observedKubeVirtVersion: text,
      outdatedVirtualMachineInstanceWorkloads: int,
      conditions: z.array(conditionSchema).optional(),
      defaultArchitecture: text,
    })
    .optional(),
});
export interface KubeVirt extends z.infer<typeof kubeVirtSchema> {}
