/** What a pass notes in the migration, and what a finished migration sets off. evacuation-and-migration §3–3.2, §4.5 of the spec. */

import { finishedToDelete } from '../../../decide/migration/garbage.ts';
import { migrationStatusTable } from '../../../decide/migration/phases.ts';
import { wokenByFinal } from '../../../decide/migration/queue.ts';
import { applyStatusChange } from '../../../decide/migration/status-change.ts';
import { resultOf } from '../../../decide/rules.ts';
import { withoutFinalizer } from '../../../kubevirt/finalizers.ts';
import { isSameJson } from '../../../kubevirt/json.ts';
import { MIGRATION_FINALIZER } from '../../../kubevirt/names.ts';
import type { Migration } from '../../../kubevirt/objects.ts';
import { isMigrationFinal, keyOf } from '../../../kubevirt/predicates.ts';
import { failureOf } from './actions.ts';
import type { Desk, Pass } from './desk.ts';
import { releaseHeldBack } from './start-target.ts';
import { withStatus, withTargetReady } from './writes.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

/** One transition at most; the status first, and where that is as it should be, the finalizer. */
export async function noteStatus(desk: Desk, pass: Pass): Promise<string | undefined> {
  const { key, migration, sourcePod, now } = pass;
  const change = resultOf(migrationStatusTable, pass);
  const { targetReadyAnnotation: isReady } = change;
  const error = isReady === undefined ? undefined : await markTargetReady(desk, pass, isReady);
  if (error !== undefined) return error;
  const noted = applyStatusChange(migration, change, now, sourcePod);
  const next = desk.options.behavior === 'exact' ? noted : withAccount(pass, noted);
  const { cluster } = desk.context;
  if (!isSameJson(next.status ?? {}, migration.status ?? {})) {
    let isNews = false;
    const note = (held: Migration): Migration | undefined => {
      // What this pass saw may be from before its own last write.
      isNews = held.status?.phase === migration.status?.phase;
      return isNews ? withStatus(next.status)(held) : undefined;
    };
    const written = await cluster.modify(MIGRATION, key, note, { subresource: 'status' });
    if (isNews) desk.tell(...change.events);
    return failureOf(written).error;
  }
  desk.tell(...change.events);
  if (next.metadata.finalizers?.length === migration.metadata.finalizers?.length) return undefined;
  return failureOf(
    await cluster.modify(MIGRATION, key, (held) => withoutFinalizer(held, MIGRATION_FINALIZER)),
  ).error;
}

/** How it went is kept by the same write that ends the migration; KubeVirt makes one more. */
function withAccount(pass: Pass, next: Migration): Migration {
  if (!isMigrationFinal(next) || isMigrationFinal(pass.migration)) return next;
  const ended = { ...pass, migration: next };
  const { migrationState } = resultOf(migrationStatusTable, ended);
  return migrationState ? { ...next, status: { ...next.status, migrationState } } : next;
}

async function markTargetReady(desk: Desk, { targetPod }: Pass, text: string): Promise<string | undefined> {
  if (!targetPod) return undefined;
  const change = withTargetReady(text);
  return failureOf(await desk.context.cluster.modify('Pod', keyOf(targetPod), change)).error;
}

/** Clears away older migrations of the VMI, and has the most urgent pending ones look whether there is a place now. */
export async function afterFinal(desk: Desk, { vmi }: Pass): Promise<string | undefined> {
  const errors: string[] = [];
  for (const { kind, namespace, name } of vmi ? finishedToDelete(desk.fleet.migrationsOf(vmi)) : []) {
    const { error } = failureOf(await desk.context.cluster.delete(kind, `${namespace}/${name}`));
    if (error !== undefined) errors.push(error);
  }
  wake(desk);
  return errors[0];
}

/** Those whom a cap would hold back again need not ask, nor need those who have slept since places last changed. */
function wake(desk: Desk): void {
  const { picture, queue, waiters, options } = desk;
  const { migrations } = desk.settings();
  const { pending, awake } = picture;
  pending.countAsFirst(migrations.parallelMigrationsPerCluster);
  const hasPlace = desk.occupationsAtWake === picture.occupations ? undefined : desk.placesOfNow();
  desk.occupationsAtWake = picture.occupations;
  const called = hasPlace ? waiters.toCall(hasPlace, pending) : [];
  const first = picture.firstPending([...awake, ...called]);
  for (const migration of wokenByFinal(first, migrations)) queue.add(keyOf(migration));
  releaseHeldBack(desk);
  if (!options.mayStart) return;
  for (const key of [...waiters.keys()]) queue.add(key);
}
