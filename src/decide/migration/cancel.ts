/** What the VMI and the events tell of a migration that ends before its time. evacuation-and-migration §3.2–3.3 of the spec. */
import { MIGRATION_EVENT } from '../../kubevirt/names.ts';
import type { MigrationState } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { type EventDraft, eventOnMigration, eventOnVmi } from '../events.ts';
import { type MigrationSubject, stateOf } from './subject.ts';

/** Why a VMI counts as not having moved when the target is gone before the start. */
const TARGET_DOWN = 'Target pod is down';

/** A new `status.migrationState` for the VMI, and the event that follows it. */
export interface StatePatch {
  readonly state: MigrationState;
  readonly event: EventDraft;
}

/** The event once the target pod of a canceled migration is deleted. */
export function cancelEvent({ migration, targetPod }: MigrationSubject): EventDraft {
  const pod = targetPod ? keyOf(targetPod) : '';
  const message = `migration canceled and pod ${pod} is deleted`;
  return eventOnMigration(migration, 'Normal', MIGRATION_EVENT.successfulDelete, message);
}

/** Nobody on the nodes will say that the move failed, so the controller does; a reason that is there already stays. */
export function failedBeforeStart(subject: MigrationSubject): StatePatch {
  const { migration, vmi = migration } = subject;
  const at = formatInstant(subject.now);
  const state = stateOf(subject);
  const ending = { failed: true, completed: true, startTimestamp: at, endTimestamp: at };
  const message = `VirtualMachineInstance migration uid ${migration.metadata.uid} failed. reason: ${TARGET_DOWN}`;
  return {
    state: { ...state, ...ending, failureReason: state?.failureReason || TARGET_DOWN },
    event: eventOnVmi(vmi, 'Warning', MIGRATION_EVENT.failedMigration, message),
  };
}

/** Asks the source node's virt-handler to stop the copy. */
export function abortRequest(subject: MigrationSubject): StatePatch {
  const message = 'Migration is ready to be canceled by virt-handler.';
  return {
    state: { ...stateOf(subject), abortRequested: true },
    event: eventOnMigration(subject.migration, 'Normal', MIGRATION_EVENT.successfulAbort, message),
  };
}
