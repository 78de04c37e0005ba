/** Small questions about one object. Each is a line of KubeVirt's own code; the decisions are built of them. */
import { ANNOTATION, APP, CONDITION, LABEL, MIGRATION_CONDITION } from './names.ts';
import { namespacedKey } from './object-key.ts';
import type { Condition, Migration, ObjectMeta, OwnerReference, Pod, Vmi } from './objects.ts';
import { type Instant, parseInstant } from './time.ts';

/** `namespace/name`, or the bare name of a cluster-scoped object. */
export function keyOf(object: { metadata: Pick<ObjectMeta, 'name' | 'namespace'> }): string {
  const { namespace, name } = object.metadata;
  return namespace ? namespacedKey(namespace, name) : name;
}

/** The first condition of a type; duplicates are possible and KubeVirt's controllers look at the first. */
export function findCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  if (!conditions) return undefined;
  // A plain loop, as are those below: passes over a whole fleet ask this several times for each VMI.
  for (const condition of conditions) {
    if (condition.type === type) return condition;
  }
  return undefined;
}

/** The first condition of the type is True; one that is absent or Unknown is not. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Succeeded and Failed are for ever (types.go IsFinal). */
export function isFinal(vmi: Vmi): boolean {
  const phase = vmi.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

/** In phase Running, whether its guest is ready or not. */
export function isRunning(vmi: Vmi): boolean {
  return vmi.status?.phase === 'Running';
}

/** *Any* LiveMigratable condition that is True counts, not only the first (types.go:537-544, IsMigratable). */
export function isMigratable(vmi: Vmi): boolean {
  for (const condition of vmi.status?.conditions ?? []) {
    if (condition.type === CONDITION.liveMigratable && condition.status === 'True') return true;
  }
  return false;
}

/** A migration of the VMI has started and not ended by `now`; a timestamp equal to `now` counts as past (pkg/util/migrations/migrations.go:76-97). */
export function isMigrating(vmi: Vmi, now: Instant): boolean {
  const state = vmi.status?.migrationState;
  if (!state) return false;
  const endedAt = parseInstant(state.endTimestamp);
  if (endedAt !== undefined && endedAt <= now) return false;
  const startedAt = parseInstant(state.startTimestamp);
  return startedAt !== undefined && startedAt <= now;
}

/** The next instant after `now` at which `isMigrating` may answer otherwise; undefined if it never will of its own. */
export function migratingChangesAt(vmi: Vmi, now: Instant): Instant | undefined {
  const state = vmi.status?.migrationState;
  if (!state) return undefined;
  const instants = [parseInstant(state.startTimestamp), parseInstant(state.endTimestamp)];
  const ahead = instants.filter((at) => at !== undefined && at > now) as Instant[];
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

/** Succeeded and Failed are for ever (types.go IsFinal). */
export function isMigrationFinal(migration: Migration): boolean {
  const phase = migration.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

const NOT_RUNNING_PHASES: ReadonlySet<string> = new Set([
  '',
  'Pending',
  'Succeeded',
  'Failed',
  'WaitingForSync',
  'Synchronizing',
]);

/** Takes a place in the caps: unknown phases do, a decentralized source in Scheduling does not (types.go IsRunning). */
export function isMigrationRunning(migration: Migration): boolean {
  const phase = migration.status?.phase ?? '';
  if (NOT_RUNNING_PHASES.has(phase)) return false;
  return !(phase === 'Scheduling' && migration.spec?.sendTo !== undefined);
}

/** A quota refuses its target pod: it waits for room there, and takes no place in the caps meanwhile. */
export function isRefusedByQuota(migration: Migration): boolean {
  const { conditions } = migration.status ?? {};
  return (
    !isMigrationRunning(migration) && isConditionTrue(conditions, MIGRATION_CONDITION.rejectedByResourceQuota)
  );
}

/** The first owner that says that it controls the object (metav1.GetControllerOf). */
export function controllerOf(meta: ObjectMeta): OwnerReference | undefined {
  return meta.ownerReferences?.find((owner) => owner.controller === true);
}

/** All of its containers have ended, for good. */
export function isPodFinished(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

/** A launcher, be it the target of a migration. */
export function isLauncherPod(pod: Pod): boolean {
  return pod.metadata.labels?.[LABEL.app] === APP.launcher;
}

/** An attachment pod (`hp-volume-*`). */
export function isHotplugPod(pod: Pod): boolean {
  return pod.metadata.labels?.[LABEL.app] === APP.hotplugDisk;
}

/** The value of an annotation; an empty one is there. */
export function annotationOf(object: { metadata: ObjectMeta }, name: string): string | undefined {
  return object.metadata.annotations?.[name];
}

/** Marked by an eviction: `status.evacuationNodeName` names a node. */
export function isMarked(vmi: Vmi): boolean {
  return Boolean(vmi.status?.evacuationNodeName);
}

/** Made by the workload updater: the annotation counts, whatever its value. */
export function isWorkloadUpdateMigration(migration: Migration): boolean {
  return annotationOf(migration, ANNOTATION.workloadUpdateMigration) !== undefined;
}

/** Made by the evacuation controller: the annotation counts, whatever its value. */
export function isEvacuationMigration(migration: Migration): boolean {
  return annotationOf(migration, ANNOTATION.evacuationMigration) !== undefined;
}
