import { FEATURE_GATE, ROLLOUT_STRATEGY, STRATEGY } from '../kubevirt/names.ts';
import type { KubeVirt } from '../kubevirt/objects.ts';
import { parseDurationSeconds } from '../kubevirt/time.ts';
import { MIGRATION_DEFAULTS as DEFAULTS } from './migration/configuration.ts';
import { BASELINE, type KubeVirtVersion, parseVersion, type VersionRules, versionRules } from './versions.ts';

/** The cluster's settings as KubeVirt applies them: the KubeVirt CR with every default filled in. */
export interface Settings {
  readonly version: KubeVirtVersion;
  /** Where the version comes from. */
  readonly versionSource: 'flag' | 'status.observedKubeVirtVersion' | 'assumed';
  readonly rules: VersionRules;
  /** Cluster-wide eviction strategy; `None` where the CR sets none (pkg/virt-config/configuration.go:186,206). */
  readonly evictionStrategy: string;
  /** Methods as written; unknown strings do nothing (workload-updater.go:380-386). */
  readonly workloadUpdateMethods: readonly string[];
  readonly batchEvictionSize: number;
  readonly batchEvictionIntervalSeconds: number;
  readonly vmRolloutStrategy: string;
  readonly migrations: MigrationSettings;
  readonly featureGates: readonly string[];
  readonly disabledFeatureGates: readonly string[];
}

/** `spec.configuration.migrations` with defaults. */
export interface MigrationSettings {
  readonly parallelMigrationsPerCluster: number;
  readonly parallelOutboundMigrationsPerNode: number;
  readonly completionTimeoutPerGiBSeconds: number;
  readonly progressTimeoutSeconds: number;
  readonly utilityVolumesTimeoutSeconds: number;
  readonly nodeDrainTaintKey: string;
  readonly allowPostCopy: boolean;
  readonly allowWorkloadDisruption: boolean;
}

const DEFAULT_BATCH = { size: 10, intervalSeconds: 60 } as const;

/** Objects are replaced, never changed: what was once read out of a CR holds for as long as there is it. */
const resolved = new WeakMap<KubeVirt, Settings>();

/**
 * The settings of a cluster.
 *
 * Promise: no CR gives all defaults; an interval that does not parse gives the default (the API server refuses such a
 * CR anyway, so it can only stand in an edited dump). `version` overrides what the CR's status says. Asked again of the same CR, it
 * gives the same object at no cost: it may be asked whenever settings are needed.
 */
export function resolveSettings(kubevirt: KubeVirt | undefined, version?: KubeVirtVersion): Settings {
  if (!kubevirt || version) return readSettings(kubevirt, version);
  const held = resolved.get(kubevirt);
  if (held) return held;
  const settings = readSettings(kubevirt, version);
  resolved.set(kubevirt, settings);
  return settings;
}

function readSettings(kubevirt: KubeVirt | undefined, version: KubeVirtVersion | undefined): Settings {
  const configuration = kubevirt?.spec?.configuration;
  const strategy = kubevirt?.spec?.workloadUpdateStrategy;
  const observed = parseVersion(kubevirt?.status?.observedKubeVirtVersion);
  const known = version ?? observed ?? BASELINE;
  const interval = strategy?.batchEvictionInterval;
  return {
    version: known,
    versionSource: version ? 'flag' : observed ? 'status.observedKubeVirtVersion' : 'assumed',
    rules: versionRules(known),
    evictionStrategy: configuration?.evictionStrategy ?? STRATEGY.none,
    workloadUpdateMethods: strategy?.workloadUpdateMethods ?? [],
    batchEvictionSize: strategy?.batchEvictionSize ?? DEFAULT_BATCH.size,
    batchEvictionIntervalSeconds:
      (interval === undefined ? undefined : parseDurationSeconds(interval)) ?? DEFAULT_BATCH.intervalSeconds,
    vmRolloutStrategy: configuration?.vmRolloutStrategy ?? ROLLOUT_STRATEGY.liveUpdate,
    migrations: resolveMigrationSettings(kubevirt),
    featureGates: configuration?.developerConfiguration?.featureGates ?? [],
    disabledFeatureGates: configuration?.developerConfiguration?.disabledFeatureGates ?? [],
  };
}

function resolveMigrationSettings(kubevirt: KubeVirt | undefined): MigrationSettings {
  const set = kubevirt?.spec?.configuration?.migrations;
  const allowPostCopy = set?.allowPostCopy ?? DEFAULTS.allowPostCopy;
  return {
    parallelMigrationsPerCluster: set?.parallelMigrationsPerCluster ?? DEFAULTS.parallelMigrationsPerCluster,
    parallelOutboundMigrationsPerNode:
      set?.parallelOutboundMigrationsPerNode ?? DEFAULTS.parallelOutboundMigrationsPerNode,
    completionTimeoutPerGiBSeconds: set?.completionTimeoutPerGiB ?? DEFAULTS.completionTimeoutPerGiB,
    progressTimeoutSeconds: set?.progressTimeout ?? DEFAULTS.progressTimeout,
    utilityVolumesTimeoutSeconds: set?.utilityVolumesTimeout ?? DEFAULTS.utilityVolumesTimeout,
    nodeDrainTaintKey: set?.nodeDrainTaintKey ?? DEFAULTS.nodeDrainTaintKey,
    allowPostCopy,
    allowWorkloadDisruption: set?.allowWorkloadDisruption ?? allowPostCopy,
  };
}

const BETA_GATES: ReadonlySet<string> = new Set([FEATURE_GATE.nodeRestriction]);
const GA_GATES: ReadonlySet<string> = new Set([
  'LiveMigration',
  'MigrationPriorityQueue',
  'VMLiveUpdateFeatures',
]);

/** Whether a feature gate is on: GA, else listed, else listed as disabled, else Beta (eviction-webhook §10 of the spec). */
export function isGateOn(
  settings: Pick<Settings, 'featureGates' | 'disabledFeatureGates'>,
  gate: string,
): boolean {
  if (GA_GATES.has(gate) || settings.featureGates.includes(gate)) return true;
  return !settings.disabledFeatureGates.includes(gate) && BETA_GATES.has(gate);
}
