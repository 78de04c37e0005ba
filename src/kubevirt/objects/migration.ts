/** Migrations, their settings, and the policies that change these. */
import { z } from 'zod';
import { flag, int, phaseTimes, quantity, text, textMap } from './fields.ts';
import { conditionSchema, objectMetaSchema, typeMeta } from './meta.ts';

export const migrationConfigurationSchema = z.object({
  parallelMigrationsPerCluster: int,
  parallelOutboundMigrationsPerNode: int,
  bandwidthPerMigration: quantity,
  completionTimeoutPerGiB: int,
  progressTimeout: int,
  maxDowntimeMs: int,
  utilityVolumesTimeout: int,
  allowAutoConverge: flag,
  allowPostCopy: flag,
  allowWorkloadDisruption: flag,
  unsafeMigrationOverride: flag,
  nodeDrainTaintKey: text,
  matchSELinuxLevelOnMigration: flag,
  disableTLS: flag,
  network: text,
  experimental: z.record(z.string(), z.unknown()).optional(),
});
export interface MigrationConfiguration extends z.infer<typeof migrationConfigurationSchema> {}

/** One side of a migration between clusters or namespaces. */
const migrationSideSchema = z.object({ migrationUID: text, syncAddress: text }).optional();

export const migrationStateSchema = z.object({
  startTimestamp: text,
  endTimestamp: text,
  targetNodeDomainReadyTimestamp: text,
  targetNodeDomainDetected: flag,
  completed: flag,
  failed: flag,
  abortRequested: flag,
  abortStatus: text,
  targetNodeAddress: text,
  targetNode: text,
  targetPod: text,
  sourceNode: text,
  sourcePod: text,
  failureReason: text,
  migrationUid: text,
  mode: text,
  migrationPolicyName: text,
  migrationConfiguration: migrationConfigurationSchema.optional(),
  targetDirectMigrationNodePorts: z.record(z.string(), z.number()).optional(),
  targetAttachmentPodUID: text,
  targetMemoryOverhead: quantity,
  sourcePersistentStatePVCName: text,
  targetPersistentStatePVCName: text,
  sourceState: migrationSideSchema,
  targetState: migrationSideSchema,
});
export interface MigrationState extends z.infer<typeof migrationStateSchema> {}

export const migrationSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      vmiName: text,
      priority: text,
      addedNodeSelector: textMap,
      sendTo: z.object({ migrationID: text, connectURL: text }).optional(),
      receive: z.object({ migrationID: text }).optional(),
    })
    .optional(),
  status: z
    .object({
      phase: text,
      conditions: z.array(conditionSchema).optional(),
      phaseTransitionTimestamps: phaseTimes,
      migrationState: migrationStateSchema.optional(),
    })
    .optional(),
});
/** A VirtualMachineInstanceMigration. */
export interface Migration extends z.infer<typeof migrationSchema> {}

export const migrationPolicySchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      selectors: z.object({ namespaceSelector: textMap, virtualMachineInstanceSelector: textMap }).optional(),
      allowAutoConverge: flag,
      bandwidthPerMigration: quantity,
      completionTimeoutPerGiB: int,
      maxDowntimeMs: int,
      allowPostCopy: flag,
      allowWorkloadDisruption: flag,
      experimental: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});
export interface MigrationPolicy extends z.infer<typeof migrationPolicySchema> {}
