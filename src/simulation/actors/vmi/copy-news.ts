/** What changes in a VMI while its guest is copied is written often, and concerns few. */
import { isSameBut } from '../../../kubevirt/json.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';

type MigrationState = NonNullable<Vmi['status']>['migrationState'];

/** All that controllers other than that of migrations read of a migration's course. */
const COURSE = ['startTimestamp', 'endTimestamp', 'completed', 'sourceState', 'targetState'] as const;

const OF_THE_STORE = new Set(['resourceVersion', 'generation']);
const OF_THE_COPY = new Set(['migrationState']);

/** Whether a migration has neither begun nor ended between the two. */
export function isSameCourse(before: MigrationState, after: MigrationState): boolean {
  return before === after || COURSE.every((field) => before?.[field] === after?.[field]);
}

/**
 * Whether the two differ in nothing but how far a copy is.
 *
 * Promise: parts are compared by reference, so that `false` is told of some that are alike.
 */
export function isCopyNews(before: Vmi, after: Vmi): boolean {
  return (
    before.spec === after.spec &&
    isSameBut(OF_THE_COPY, before.status, after.status) &&
    isSameBut(OF_THE_STORE, before.metadata, after.metadata) &&
    isSameCourse(before.status?.migrationState, after.status?.migrationState)
  );
}
