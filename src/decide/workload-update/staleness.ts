/**
 * What the workload updater asks about one VMI. The conditions count by the first of their type.
 * kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go:301-364.
 */
import { ANNOTATION, CONDITION } from '../../kubevirt/names.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import {
  annotationOf,
  findCondition,
  isConditionTrue,
  isFinal,
  isMigrating,
  isWorkloadUpdateMigration,
} from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Behavior } from '../rules.ts';

/** The conditions that tell of a change which waits for a migration. */
export const CHANGES = [
  CONDITION.hotVcpuChange,
  CONDITION.hotMemoryChange,
  CONDITION.migrationRequired,
  CONDITION.volumesChange,
] as const;

const CHANGE_TYPES: ReadonlySet<string> = new Set(CHANGES);

/**
 * Whether the VMI runs another launcher than the controller would start now.
 *
 * Promise: the texts are compared byte by byte, so an empty `launcherImage` makes every known image outdated; a VMI that
 * is final, or whose image is unknown (it starts, or a migration has just ended), is not outdated.
 */
export function outdated(vmi: Vmi, launcherImage: string): boolean {
  const image = vmi.status?.launcherContainerImageVersion;
  return Boolean(image) && image !== launcherImage && !isFinal(vmi);
}

/**
 * Whether a change of CPU, memory or network waits for a migration. In `exact` HotVCPUChange counts by being there,
 * whatever its status; in `intended` it must be True like the others.
 */
export function isHotplugInProgress(vmi: Vmi, behavior: Behavior): boolean {
  const conditions = vmi.status?.conditions;
  return (
    (behavior === 'exact' && findCondition(conditions, CONDITION.hotVcpuChange) !== undefined) ||
    isConditionTrue(conditions, CONDITION.hotVcpuChange) ||
    isConditionTrue(conditions, CONDITION.hotMemoryChange) ||
    isConditionTrue(conditions, CONDITION.migrationRequired)
  );
}

/** Whether volumes wait for a migration that moves them. */
export function isVolumeUpdateInProgress(vmi: Vmi): boolean {
  return isConditionTrue(vmi.status?.conditions, CONDITION.volumesChange);
}

/** Whether any change of the VMI waits for a migration, whether or not it may have one. */
export function isChangePending(vmi: Vmi, behavior: Behavior): boolean {
  return mayBeChanging(vmi) && (isHotplugInProgress(vmi, behavior) || isVolumeUpdateInProgress(vmi));
}

/** One look at the conditions instead of four: hardly any VMI of a fleet has one of these. */
function mayBeChanging(vmi: Vmi): boolean {
  for (const { type } of vmi.status?.conditions ?? []) {
    if (CHANGE_TYPES.has(type)) return true;
  }
  return false;
}

/** Whether a pending change asks for a migration now: none is under way and nobody asked to abort. */
export function requiresMigration(vmi: Vmi, now: Instant, behavior: Behavior): boolean {
  return isChangePending(vmi, behavior) && !isAbortAsked(vmi) && !isFinal(vmi) && !isMigrating(vmi, now);
}

/** The updater's own among the unfinished migrations of a VMI. */
export function ownMigrations(unfinished: readonly Migration[]): Migration[] {
  return unfinished.filter(isWorkloadUpdateMigration);
}

/**
 * Whether the updater's migration of the VMI has lost its purpose: someone asked to abort it, or the change it was made
 * for is gone before the guest arrived at the target.
 *
 * `unfinished` are the unfinished migrations of this VMI, whoever made them; without one of the updater's own there is
 * nothing to abort.
 */
export function shouldAbort(vmi: Vmi, unfinished: readonly Migration[], behavior: Behavior): boolean {
  if (!unfinished.some(isWorkloadUpdateMigration)) return false;
  if (isAbortAsked(vmi)) return true;
  return !isChangePending(vmi, behavior) && !hasArrived(vmi);
}

/** The annotation counts by being there, whatever its value. */
function isAbortAsked(vmi: Vmi): boolean {
  return annotationOf(vmi, ANNOTATION.abortWorkloadUpdate) !== undefined;
}

function hasArrived(vmi: Vmi): boolean {
  return vmi.status?.migrationState?.targetNodeDomainReadyTimestamp !== undefined;
}
