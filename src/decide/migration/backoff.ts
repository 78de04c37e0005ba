/** How long an automatic migration waits after failures of its predecessors. evacuation-and-migration §4.3 of the spec. */

import { ANNOTATION, MIGRATION_EVENT, MIGRATION_PHASE } from '../../kubevirt/names.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { newestFirst } from '../../kubevirt/order.ts';
import {
  annotationOf,
  isEvacuationMigration,
  isWorkloadUpdateMigration,
  keyOf,
} from '../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { type EventDraft, eventOnVmi } from '../events.ts';
import { migrationField } from '../evidence.ts';
import type { Behavior, Evidence, Table } from '../rules.ts';
import { KEPT_FINALS } from './garbage.ts';
import { RUNNING_PRIORITY } from './queue.ts';
import { CONTROLLER } from './subject.ts';

const FIRST_WAIT_SECONDS = 20;

/** The wait after so many failures in a row: 0 after none, then 20 s, doubled by each further one. */
export function backoffSeconds(failures: number): number {
  return failures <= 0 ? 0 : FIRST_WAIT_SECONDS * 2 ** (failures - 1);
}

/** The longest wait: only so many finished migrations of a VMI are kept, so no more failures than that are ever seen. */
export const LONGEST_BACKOFF_SECONDS = backoffSeconds(KEPT_FINALS);

export interface BackoffInput {
  readonly vmi: Vmi;
  /** The pending migration that asks. */
  readonly migration: Migration;
  /** Every migration of the VMI, this one too, in any order. */
  readonly migrations: readonly Migration[];
  readonly now: Instant;
  readonly behavior: Behavior;
}

export type BackoffDecision =
  | { readonly action: 'Proceed' }
  | {
      readonly action: 'Wait';
      readonly afterSeconds: number;
      readonly priority: number;
      readonly event: EventDraft;
    };

const PROCEED: BackoffDecision = { action: 'Proceed' };

/** Whether back-off looks at a migration: evacuations and workload updates do, what a person started does not. */
function isBackoffEligible(migration: Migration): boolean {
  return isEvacuationMigration(migration) || isWorkloadUpdateMigration(migration);
}

/** Migrations of both kinds together, newest first; of equally old ones the asking one counts as the newest. */
function eligible({ migration, migrations }: BackoffInput): Migration[] {
  const own = migration.metadata.uid;
  return migrations
    .filter(isBackoffEligible)
    .sort((a, b) => Number(b.metadata.uid === own) - Number(a.metadata.uid === own))
    .sort((a, b) => (isSameAge(a, b) ? 0 : newestFirst(a, b)));
}

function isSameAge(a: Migration, b: Migration): boolean {
  return parseInstant(a.metadata.creationTimestamp) === parseInstant(b.metadata.creationTimestamp);
}

/** Failed predecessors back to the last that succeeded, newest first; those being deleted do not count. */
function failuresBefore(input: BackoffInput): Migration[] {
  const older = eligible(input).slice(1);
  const succeeded = older.findIndex((m) => m.status?.phase === MIGRATION_PHASE.succeeded);
  return older
    .slice(0, succeeded === -1 ? undefined : succeeded)
    .filter((m) => m.metadata.deletionTimestamp === undefined && m.status?.phase === MIGRATION_PHASE.failed);
}

/**
 * The migration from whose failure the wait counts. KubeVirt takes the immediate predecessor, even one that never
 * failed because it was deleted, and then there is no wait at all (a defect); as intended it is the newest failure.
 */
function measuredFrom(input: BackoffInput): Migration | undefined {
  return input.behavior === 'exact' ? eligible(input)[1] : failuresBefore(input)[0];
}

/** Milliseconds left to wait; not positive: the wait is over, or nothing says when it began. */
function remaining(input: BackoffInput): number {
  const from = parseInstant(failedTimestamp(measuredFrom(input)));
  if (from === undefined) return 0;
  return from + backoffSeconds(failuresBefore(input).length) * 1000 - input.now;
}

function isNewestOfSeveral(input: BackoffInput): boolean {
  const [newest, ...older] = eligible(input);
  return older.length > 0 && newest?.metadata.uid === input.migration.metadata.uid;
}

function failureEvidence(input: BackoffInput): Evidence[] {
  return failuresBefore(input).map((m) =>
    migrationField(m, 'status.phaseTransitionTimestamps[phase=Failed]', failedTimestamp(m)),
  );
}

function failedTimestamp(migration: Migration | undefined): string | undefined {
  const reached = migration?.status?.phaseTransitionTimestamps;
  return reached?.find(({ phase }) => phase === MIGRATION_PHASE.failed)?.phaseTransitionTimestamp;
}

/** Does the pending migration have to wait? */
export const backoffTable: Table<BackoffInput, BackoffDecision> = [
  {
    name: 'BackoffIgnored',
    asks: 'the migration asks for no back-off',
    source: `${CONTROLLER}:1049-1053`,
    when: ({ migration }) => annotationOf(migration, ANNOTATION.ignoreMigrationBackoff) !== undefined,
    reads: ({ migration }) => [annotationEvidence(migration, ANNOTATION.ignoreMigrationBackoff)],
    then: () => PROCEED,
  },
  {
    name: 'NotAutomatic',
    asks: 'the migration is neither an evacuation nor a workload update',
    source: `${CONTROLLER}:1054-1059`,
    when: ({ migration }) => !isBackoffEligible(migration),
    reads: ({ migration }) => [
      annotationEvidence(migration, ANNOTATION.evacuationMigration),
      annotationEvidence(migration, ANNOTATION.workloadUpdateMigration),
    ],
    then: () => PROCEED,
  },
  {
    name: 'NoPredecessor',
    asks: 'there is no older automatic migration of the VMI, or this one is not the newest',
    source: `${CONTROLLER}:1060-1072`,
    when: (input) => !isNewestOfSeveral(input),
    reads: ({ migration }) => [
      migrationField(migration, 'metadata.creationTimestamp', migration.metadata.creationTimestamp),
    ],
    then: () => PROCEED,
  },
  {
    name: 'NoFailureSinceSuccess',
    asks: 'none has failed since the last that succeeded',
    source: `${CONTROLLER}:1073-1092`,
    when: (input) => failuresBefore(input).length === 0,
    reads: failureEvidence,
    then: () => PROCEED,
  },
  {
    name: 'WaitIsOver',
    asks: 'the wait since the failure is over',
    source: `${CONTROLLER}:1094-1104`,
    when: (input) => remaining(input) <= 0,
    reads: failureEvidence,
    then: () => PROCEED,
  },
  {
    name: 'BackingOff',
    asks: 'the wait since the failure is not over',
    source: `${CONTROLLER}:1104-1112`,
    when: () => true,
    reads: failureEvidence,
    then: (input) => ({
      action: 'Wait',
      afterSeconds: remaining(input) / 1000,
      priority: RUNNING_PRIORITY,
      event: eventOnVmi(
        input.vmi,
        'Warning',
        MIGRATION_EVENT.backoff,
        `backoff migrating vmi ${keyOf(input.vmi)}`,
      ),
    }),
  },
];

function annotationEvidence(migration: Migration, name: string): Evidence {
  return migrationField(migration, `metadata.annotations[${name}]`, annotationOf(migration, name));
}
