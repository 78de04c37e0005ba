/** Migrations, their settings, and the policies that change these. */
import { z } from 'zod';
import { flag, int, phaseTimes, quantity, text, textMap } from './fields.ts';
import { conditionSchema, objectMetaSchema, typeMeta } from './meta.ts';

/** In the words of whoever writes it: editors show them. */
export const migrationConfigurationSchema = z.object({
  parallelMigrationsPerCluster: int.describe('Most migrations under way at once; absent: 5.'),
  parallelOutboundMigrationsPerNode: int.describe('Most migrations out of one node at once; absent: 2.'),
  bandwidthPerMigration: quantity.describe('Most bytes a second of one migration; absent or 0: no limit.'),
  completionTimeoutPerGiB: int.describe(
    'Seconds that a migration may take for each gigabyte, 0 for any time; absent: 150.',
  ),
  progressTimeout: int.describe(
    'Seconds without progress after which a migration is cancelled, 0 for never; absent: 150.',
  ),
  maxDowntimeMs: int.describe(
    'Milliseconds that a guest may stand still at the end of its copy; absent: 900.',
  ),
  utilityVolumesTimeout: int.describe('Seconds that a migration waits for utility volumes; absent: 150.'),
  allowAutoConverge: flag.describe('Slow a guest down whose copy does not converge; absent: false.'),
  allowPostCopy: flag.describe(
    'Let a guest go on at the target before all of its memory is there when its time is up; absent: false.',
  ),
  allowWorkloadDisruption: flag.describe(
    'Stop a guest for its copy to end when its time is up; absent: as allowPostCopy.',
  ),
  unsafeMigrationOverride: flag.describe('Migrate with disk caches that make it unsafe, too; absent: false.'),
  nodeDrainTaintKey: text.describe('Key of the taint that has a node evacuated; absent: kubevirt.io/drain.'),
  matchSELinuxLevelOnMigration: flag.describe(
    'Give the target the SELinux level of the source; absent: true.',
  ),
  disableTLS: flag.describe('Migrate without encryption; absent: false.'),
  network: text.describe("Network attachment that migrations go over; absent: the pods' network."),
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
