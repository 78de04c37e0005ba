/** Which of a list of migrations count, and for whom. kubevirt v1.9.0 pkg/util/migrations/migrations.go. */
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import {
  isMigrationFinal,
  isMigrationRunning,
  isWorkloadUpdateMigration,
} from '../../kubevirt/predicates.ts';

/** Migrations that are neither Succeeded nor Failed, in the given order; pending ones and those without a phase are among them. */
export function unfinishedMigrations(migrations: readonly Migration[]): Migration[] {
  return migrations.filter((migration) => !isMigrationFinal(migration));
}

/** Migrations that take a place in the caps, in the given order. */
export function runningMigrations(migrations: readonly Migration[]): Migration[] {
  return migrations.filter(isMigrationRunning);
}

/** Whether a migration is of this VMI: same namespace, and `spec.vmiName` is its name. */
export function isMigrationOf(migration: Migration, vmi: Pick<Vmi, 'metadata'>): boolean {
  return (
    migration.metadata.namespace === vmi.metadata.namespace && migration.spec?.vmiName === vmi.metadata.name
  );
}

/** Unfinished migrations of the VMI that the workload updater made, in the given order. */
export function workloadUpdateMigrationsOf(vmi: Vmi, migrations: readonly Migration[]): Migration[] {
  return unfinishedMigrations(migrations).filter(
    (migration) => isMigrationOf(migration, vmi) && isWorkloadUpdateMigration(migration),
  );
}

/** A migration of the VMI is under way; one that is only pending does not count. */
export function hasRunningMigration(vmi: Vmi, migrations: readonly Migration[]): boolean {
  return runningMigrations(migrations).some((migration) => isMigrationOf(migration, vmi));
}

/** The migration that the VMI's state tells of failed, be it ended or not. */
export function hasMigrationFailed(vmi: Vmi): boolean {
  return vmi.status?.migrationState?.failed === true;
}
