/** VirtualMachineInstances. */
import { z } from 'zod';
import { domainSchema } from './domain.ts';
import { flag, int, phaseTimes, presence, quantities, quantity, text, textList, textMap } from './fields.ts';
import { conditionSchema, objectMetaSchema, templateMeta, typeMeta } from './meta.ts';
import { migrationStateSchema } from './migration.ts';
import { affinitySchema, spreadConstraintSchema, tolerationSchema } from './scheduling.ts';

const claimSchema = z.object({ claimName: z.string(), hotpluggable: flag }).optional();

export const vmiSpecSchema = z.object({
  evictionStrategy: text,
  terminationGracePeriodSeconds: int,
  architecture: text,
  domain: domainSchema.optional(),
  networks: z
    .array(z.object({ name: z.string(), pod: presence, multus: z.object({ networkName: text }).optional() }))
    .optional(),
  volumes: z
    .array(
      z.object({
        name: z.string(),
        persistentVolumeClaim: claimSchema,
        dataVolume: z.object({ name: z.string(), hotpluggable: flag }).optional(),
        hostDisk: z.object({ path: text, shared: flag }).optional(),
        containerDisk: presence,
        ephemeral: presence,
      }),
    )
    .optional(),
  nodeSelector: textMap,
  affinity: affinitySchema.optional(),
  tolerations: z.array(tolerationSchema).optional(),
  topologySpreadConstraints: z.array(spreadConstraintSchema).optional(),
  /** Volumes attached for another purpose (a backup), which must go before a migration. */
  utilityVolumes: z.array(z.object({ name: z.string() })).optional(),
});
export interface VmiSpec extends z.infer<typeof vmiSpecSchema> {}

export const vmiTemplate = z.object({ metadata: templateMeta, spec: vmiSpecSchema.optional() }).optional();

const pvcInfoSchema = z.object({
  claimName: text,
  accessModes: textList,
  volumeMode: text,
  capacity: quantities,
});

export const vmiSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: vmiSpecSchema.optional(),
  status: z
    .object({
      phase: text,
      reason: text,
      nodeName: text,
      launcherContainerImageVersion: text,
      evacuationNodeName: text,
      activePods: textMap,
      conditions: z.array(conditionSchema).optional(),
      migrationState: migrationStateSchema.optional(),
      migrationMethod: text,
      interfaces: z.array(z.object({ name: text, ipAddress: text })).optional(),
      migratedVolumes: z
        .array(
          z.object({
            volumeName: text,
            sourcePVCInfo: pvcInfoSchema.optional(),
            destinationPVCInfo: pvcInfoSchema.optional(),
          }),
        )
        .optional(),
      volumeStatus: z
        .array(
          z.object({
            name: z.string(),
            phase: text,
            persistentVolumeClaimInfo: pvcInfoSchema.optional(),
            hotplugVolume: z.object({ attachPodName: text, attachPodUID: text }).optional(),
          }),
        )
        .optional(),
      currentCPUTopology: z.object({ sockets: int, cores: int, threads: int }).optional(),
      memory: z
        .object({
          guestAtBoot: quantity,
          guestCurrent: quantity,
          guestRequested: quantity,
          memoryOverhead: quantity,
        })
        .optional(),
      topologyHints: z.object({ tscFrequency: int }).optional(),
      selinuxContext: text,
      runtimeUser: int,
      phaseTransitionTimestamps: phaseTimes,
      changedBlockTracking: z
        .object({ backupStatus: z.object({ backupName: text, completed: flag, failed: flag }).optional() })
        .optional(),
    })
    .optional(),
});
/** A VirtualMachineInstance. */
export interface Vmi extends z.infer<typeof vmiSchema> {}
