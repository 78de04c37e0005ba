/** The texts of the updater's events on a VMI: workload-update §7.1-7.3 of the spec. */
import { WORKLOAD_UPDATE_EVENT as EVENT } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { type EventDraft, eventOnVmi } from '../events.ts';
import type { Behavior } from '../rules.ts';

export function migrationCreatedEvent(vmi: Vmi, migration: string): EventDraft {
  const message = `Created Migration ${migration} for automated workload update`;
  return eventOnVmi(vmi, 'Normal', EVENT.successfulCreate, message);
}

export function creationFailedEvent(vmi: Vmi, error: string): EventDraft {
  const message = `Error creating a Migration for automated workload update: ${error}`;
  return eventOnVmi(vmi, 'Warning', EVENT.failedCreate, message);
}

/** In `exact` the error that there may be stands behind the message, `<nil>` where there is none. */
export function evictedEvent(vmi: Vmi, error: string | undefined, behavior: Behavior): EventDraft {
  const message = 'Initiated eviction of VMI as part of automated workload update';
  const told = behavior === 'exact' ? `${message}: ${error ?? '<nil>'}` : message;
  return eventOnVmi(vmi, 'Normal', EVENT.successfulEvict, told);
}

/** Drover's own; KubeVirt takes the webhook's answer for a failure. */
export function evacuationStartedEvent(vmi: Vmi): EventDraft {
  const message = 'Initiated evacuation of VMI as part of automated workload update';
  return eventOnVmi(vmi, 'Normal', EVENT.successfulEvict, message);
}

export function evictionFailedEvent(vmi: Vmi, error: string): EventDraft {
  const message = `Error deleting VMI during automated workload update: ${error}`;
  return eventOnVmi(vmi, 'Warning', EVENT.failedEvict, message);
}

export function abortedEvent(vmi: Vmi): EventDraft {
  return eventOnVmi(vmi, 'Normal', EVENT.successfulAbort, `Aborted change for vmi: ${vmi.metadata.name}`);
}

/** In `exact` the failure is a Normal event. */
export function abortFailedEvent(vmi: Vmi, error: string, behavior: Behavior): EventDraft {
  const message = `Failed to abort change for vmi: ${vmi.metadata.name}: ${error}`;
  return eventOnVmi(vmi, behavior === 'exact' ? 'Normal' : 'Warning', EVENT.failedAbort, message);
}
