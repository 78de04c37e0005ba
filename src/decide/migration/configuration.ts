/** The settings of one migration: the cluster's, under those of the policy that fits best. evacuation-and-migration §7–8 of the spec. */
import { TAINT } from '../../kubevirt/names.ts';
import type { MigrationConfiguration, MigrationPolicy } from '../../kubevirt/objects.ts';

/** What KubeVirt assumes (kubevirt v1.9.0 pkg/virt-config/virt-config.go:41-111); times in seconds. */
export const MIGRATION_DEFAULTS = {
  parallelMigrationsPerCluster: 5,
  parallelOutboundMigrationsPerNode: 2,
  bandwidthPerMigration: '0',
  completionTimeoutPerGiB: 150,
  progressTimeout: 150,
  maxDowntimeMs: 900,
  utilityVolumesTimeout: 150,
  allowAutoConverge: false,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
  unsafeMigrationOverride: false,
  nodeDrainTaintKey: TAINT.drain,
} as const satisfies MigrationConfiguration;

/**
 * `spec.configuration.migrations` of the KubeVirt CR with its defaults, in the form in which a hand-off writes it into
 * the VMI. Whoever allows post-copy and says nothing about disrupting the workload allows that too.
 */
export function migrationConfiguration(set: MigrationConfiguration | undefined): MigrationConfiguration {
  const allowPostCopy = set?.allowPostCopy ?? false;
  return { ...MIGRATION_DEFAULTS, allowWorkloadDisruption: allowPostCopy, ...withoutUndefined(set ?? {}) };
}

/** The fields of a policy that replace the cluster's; empty: the policy changes nothing. */
export function overridesOf(policy: MigrationPolicy): Partial<MigrationConfiguration> {
  const spec = policy.spec ?? {};
  return withoutUndefined({
    allowAutoConverge: spec.allowAutoConverge,
    bandwidthPerMigration: spec.bandwidthPerMigration,
    completionTimeoutPerGiB: spec.completionTimeoutPerGiB,
    maxDowntimeMs: spec.maxDowntimeMs,
    allowPostCopy: spec.allowPostCopy,
    allowWorkloadDisruption: spec.allowWorkloadDisruption ?? spec.allowPostCopy,
    experimental: spec.experimental,
  });
}

function withoutUndefined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
