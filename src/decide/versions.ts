/** What differs between KubeVirt 1.5 and 1.9 for evictions, drains and roll-outs. */

export interface KubeVirtVersion {
  readonly major: number;
  readonly minor: number;
}

/** The version whose behaviour the decisions describe, and the one assumed where none is known. */
export const BASELINE: KubeVirtVersion = { major: 1, minor: 9 };

/** The oldest whose behaviour the decisions know. */
const OLDEST: KubeVirtVersion = { major: 1, minor: 5 };

/** Reads `v1.9.0`, `1.8`, `v1.7.0-rc.1`. Promise: anything else gives `undefined`. */
export function parseVersion(text: string | undefined): KubeVirtVersion | undefined {
  const match = /^v?(\d+)\.(\d+)(?:\.|-|\+|$)/.exec(text ?? '');
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

/** `1.9`, as `parseVersion` reads it. */
export function formatVersion(version: KubeVirtVersion): string {
  return `${version.major}.${version.minor}`;
}

/** The versions that forecasts are made for, in words. */
export const KNOWN_VERSIONS = `${formatVersion(OLDEST)} to ${formatVersion(BASELINE)}`;

/** Whether it is one of those. Of another the nearest is foretold. */
export function isKnownVersion({ major, minor }: KubeVirtVersion): boolean {
  return major === BASELINE.major && minor >= OLDEST.minor && minor <= BASELINE.minor;
}

/** What there is to say of a release that is to be played, in words; undefined where it is known, or no version of KubeVirt's. */
export function strangeRelease(tag: string): string | undefined {
  const version = parseVersion(tag);
  if (!version || isKnownVersion(version)) return undefined;
  return `KubeVirt ${formatVersion(version)} is not among those that are known (${KNOWN_VERSIONS}): it is played as the nearest of them`;
}

function atLeast(version: KubeVirtVersion, minor: number): boolean {
  return version.major > 1 || (version.major === 1 && version.minor >= minor);
}

/** The version differences, as switches that decisions read. */
export interface VersionRules {
  /** KubeVirt makes a PodDisruptionBudget for every VMI with a migrating strategy (up to 1.5). */
  readonly budgetPerVmi: boolean;
  /** With virt-api away, evictions of launcher pods pass (up to 1.4); from 1.5 on they fail. */
  readonly webhookFailsOpen: boolean;
  /** Attachment pods (`hp-volume-*`) are refused while their VM runs (from 1.6). */
  readonly hotplugPodsRefused: boolean;
  /** A second eviction of a marked VMI is refused by the webhook (from 1.5); before, by the VMI's budget. */
  readonly inProgressRefused: boolean;
  /** Migrations have priorities (from 1.7). */
  readonly migrationPriorities: boolean;
  /** Every VMI of a drained node gets its migration object at once (from 1.9); before, the evacuation controller held some back. */
  readonly evacuatesAllAtOnce: boolean;
  /** A system-critical migration aborts a running backup (from 1.9). */
  readonly criticalMigrationAbortsBackup: boolean;
}

/** What a version does; of one before 1.4 what 1.4 does, of one to come what 1.9 does. */
export function versionRules(version: KubeVirtVersion): VersionRules {
  return {
    budgetPerVmi: !atLeast(version, 6),
    webhookFailsOpen: !atLeast(version, 5),
    hotplugPodsRefused: atLeast(version, 6),
    inProgressRefused: atLeast(version, 5),
    migrationPriorities: atLeast(version, 7),
    evacuatesAllAtOnce: atLeast(version, 9),
    criticalMigrationAbortsBackup: atLeast(version, 9),
  };
}
