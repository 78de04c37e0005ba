/** Whom a change concerns. evacuation-and-migration §3, §4.1 of the spec. */
import type { Change } from '../../../controllers/ports.ts';
import { RUNNING_PRIORITY } from '../../../decide/migration/queue.ts';
import { ANNOTATION, MIGRATION_FINALIZER } from '../../../kubevirt/names.ts';
import { namespacedKey, namespaceIn } from '../../../kubevirt/object-key.ts';
import type { Migration, Pod } from '../../../kubevirt/objects.ts';
import { annotationOf, isMigrationFinal, keyOf } from '../../../kubevirt/predicates.ts';
import { isNoNewsForMigrations } from '../vmi/copy-news.ts';
import { isShownNews } from '../vmi/launcher-writes.ts';
import type { Desk } from './desk.ts';
import { releaseHeldBack } from './start-target.ts';

/** Queues the migrations that a change concerns. */
export function wakeUp(desk: Desk, change: Change): void {
  switch (change.kind) {
    case 'VirtualMachineInstanceMigration':
      desk.queue.add(change.key);
      if (hasOtherPhase(change as Change<'VirtualMachineInstanceMigration'>)) releaseHeldBack(desk);
      break;
    case 'VirtualMachineInstance':
      wakeMigrationsOf(desk, change as Change<'VirtualMachineInstance'>);
      break;
    case 'Pod':
      wakeByPod(desk, change as Change<'Pod'>);
      break;
    case 'ResourceQuota':
      for (const key of desk.picture.rejectedIn(namespaceIn(change.key))) desk.queue.add(key);
      break;
    default:
  }
}

function hasOtherPhase({ before, after }: Change<'VirtualMachineInstanceMigration'>): boolean {
  return before?.status?.phase !== after?.status?.phase;
}

/** Something is left to do for it, whatever its VMI does. */
export function isAlive(migration: Migration): boolean {
  return (
    !isMigrationFinal(migration) || (migration.metadata.finalizers?.includes(MIGRATION_FINALIZER) ?? false)
  );
}

function wakeMigrationsOf(desk: Desk, { before, after }: Change<'VirtualMachineInstance'>): void {
  const vmi = after ?? before;
  if (!vmi || (before && after && isNoNewsForMigrations(before, after))) return;
  for (const migration of desk.fleet.migrationsOf(vmi)) {
    if (!after || isAlive(migration)) desk.queue.add(keyOf(migration));
  }
}

/** Pods of a migration bear its name; a new one ends the wait for it. */
function wakeByPod(desk: Desk, { before, after }: Change<'Pod'>): void {
  const key = migrationOf(after ?? before);
  if (key === undefined) return;
  if (!before) {
    desk.creations.observe(key);
    releaseHeldBack(desk);
  }
  if (before && after && isShownNews(before, after)) return;
  const migration = desk.fleet.get('VirtualMachineInstanceMigration', key);
  if (migration && isAlive(migration)) desk.queue.add(key, RUNNING_PRIORITY);
}

function migrationOf(pod: Pod | undefined): string | undefined {
  const name = pod && annotationOf(pod, ANNOTATION.migrationJobName);
  return name === undefined ? undefined : namespacedKey(pod?.metadata.namespace ?? '', name);
}
