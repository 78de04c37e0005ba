import type { Survey } from '../decide/workload-update/survey.ts';
import type { Migration, Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';

/** The lists by key, sorted, and the counts. */
export function told(survey: Survey) {
  const keys = (objects: readonly (Vmi | Migration)[]) => objects.map(keyOf).sort();
  return {
    outdated: keys(survey.outdated),
    migratable: keys(survey.migratable),
    evictable: keys(survey.evictable),
    abortable: keys(survey.abortable),
    active: survey.activeMigrations,
    pending: survey.pendingMigrations,
    refusedByQuota: survey.refusedByQuota,
    unfinished: Object.fromEntries([...survey.unfinishedByVmi].map(([key, held]) => [key, keys(held)])),
  };
}
