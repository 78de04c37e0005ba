/** What a pass writes into a migration. */
import { withoutFinalizer } from '../../kubevirt/finalizers.ts';
import { MIGRATION_EVENT, MIGRATION_FINALIZER, MIGRATION_PHASE } from '../../kubevirt/names.ts';
import type { Condition, Migration, MigrationState, Pod } from '../../kubevirt/objects.ts';
import { extended } from '../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../kubevirt/time.ts';
import { type EventDraft, eventOnMigration } from '../events.ts';
import { hasCondition, type MigrationSubject, phaseOf } from './subject.ts';

export interface StatusChange {
  /** The next phase; undefined: it stays. */
  readonly phase?: string;
  readonly addCondition?: Condition;
  readonly removeConditions?: readonly string[];
  /** The VMI's account, copied for good. */
  readonly migrationState?: MigrationState;
  readonly removeFinalizer?: boolean;
  /** Value of the annotation `kubevirt.io/migration-target-ready-timestamp` that the target pod gets. */
  readonly targetReadyAnnotation?: string;
  readonly events: readonly EventDraft[];
}

export const NO_CHANGE: StatusChange = { events: [] };

/** The migration fails, which an event tells where KubeVirt tells it. */
export function failure(subject: MigrationSubject, message?: string): StatusChange {
  const event = (text: string) =>
    eventOnMigration(subject.migration, 'Warning', MIGRATION_EVENT.failedMigration, text);
  return { phase: MIGRATION_PHASE.failed, events: message === undefined ? [] : [event(message)] };
}

/** Adds a condition with status True unless one of its type is there. */
export function withCondition(subject: MigrationSubject, type: string, reason?: string): StatusChange {
  if (hasCondition(subject, type)) return NO_CHANGE;
  return { addCondition: { type, status: 'True', ...(reason !== undefined && { reason }) }, events: [] };
}

/**
 * The migration after the change.
 *
 * Promise: a new phase is noted with its time in whole seconds; a pending migration notes the pod that it will leave.
 * Nothing changed gives an equal object, `NO_CHANGE` the same one where a pending migration knows its pod. The given one is
 * left alone.
 */
export function applyStatusChange(
  migration: Migration,
  change: StatusChange,
  now: Instant,
  sourcePod: Pod | undefined,
): Migration {
  const status = migration.status ?? {};
  const phase = change.phase ?? phaseOf(migration);
  if (change === NO_CHANGE && account(status.migrationState, change, phase, sourcePod) === NOTHING)
    return migration;
  const changed: Status = {
    phase: phase === MIGRATION_PHASE.unset ? status.phase : phase,
    ...transitions(migration, phase, now),
    ...conditions(status.conditions, change),
    ...account(status.migrationState, change, phase, sourcePod),
  };
  const next: Migration = extended(migration, { status: extended(status, changed) });
  return (change.removeFinalizer && withoutFinalizer(next, MIGRATION_FINALIZER)) || next;
}

type Status = NonNullable<Migration['status']>;

function transitions(
  migration: Migration,
  phase: string,
  now: Instant,
): Pick<Status, 'phaseTransitionTimestamps'> {
  if (phase === phaseOf(migration)) return {};
  const before = migration.status?.phaseTransitionTimestamps ?? [];
  return {
    phaseTransitionTimestamps: [...before, { phase, phaseTransitionTimestamp: formatInstant(now) }],
  };
}

function conditions(before: Status['conditions'], change: StatusChange): Pick<Status, 'conditions'> {
  const kept = before?.filter(({ type }) => !change.removeConditions?.includes(type));
  if (change.addCondition) return { conditions: [...(kept ?? []), change.addCondition] };
  return kept ? { conditions: kept } : {};
}

const NOTHING = {};

function account(
  before: MigrationState | undefined,
  change: StatusChange,
  phase: string,
  sourcePod: Pod | undefined,
): Pick<Status, 'migrationState'> {
  if (change.migrationState) return { migrationState: change.migrationState };
  const name = sourcePod?.metadata.name;
  if (phase !== MIGRATION_PHASE.pending || name === undefined || before?.sourcePod === name) return NOTHING;
  return { migrationState: { ...before, sourcePod: name } };
}
