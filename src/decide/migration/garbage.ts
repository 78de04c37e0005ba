/** Finished migrations that are cleared away. evacuation-and-migration §4.5 of the spec. */
import type { Migration } from '../../kubevirt/objects.ts';
import { oldestFirst } from '../../kubevirt/order.ts';
import { isMigrationFinal } from '../../kubevirt/predicates.ts';

/** So many finished migrations of a VMI are kept (kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go:2251-2314). */
export const KEPT_FINALS = 5;

/** A deletion; an object that is gone already is no error. */
export interface Deletion {
  readonly kind: 'Pod' | 'VirtualMachineInstanceMigration';
  readonly namespace: string | undefined;
  readonly name: string;
}

/**
 * What to delete once a migration of the VMI is final, in this order.
 *
 * Promise: the newest five finished migrations stay, those being deleted not counted; of each older one, oldest first
 * (equally old ones by name), first the pod that it left behind, then the migration. So the source pod of a successful
 * migration stays on the old node as a finished pod until five younger migrations have finished.
 */
export function finishedToDelete(migrationsOfVmi: readonly Migration[]): Deletion[] {
  const finals = migrationsOfVmi
    .filter((migration) => isMigrationFinal(migration) && migration.metadata.deletionTimestamp === undefined)
    .sort(oldestFirst);
  return finals.slice(0, Math.max(0, finals.length - KEPT_FINALS)).flatMap(deletionsFor);
}

function deletionsFor(migration: Migration): Deletion[] {
  const { namespace, name } = migration.metadata;
  const own: Deletion = { kind: 'VirtualMachineInstanceMigration', namespace, name };
  const pod = defunctPodOf(migration);
  return pod ? [{ kind: 'Pod', namespace, name: pod }, own] : [own];
}

/** The pod that a finished migration left: the target's of a failed one, the source's of a successful one. */
export function defunctPodOf(migration: Migration): string | undefined {
  const state = migration.status?.migrationState;
  if (state?.failed) return state.targetPod;
  return state?.completed ? state.sourcePod : undefined;
}
