import type { Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { type ApiFailure, type ApiResult, isNotFound } from '../api-result.ts';
import type { EventDraft } from '../events.ts';
import { creationObserved } from '../expectations.ts';
import { type Behavior, resultOf } from '../rules.ts';
import { evictionAccepted, evictionRefused } from './batch.ts';
import type { Command, DeleteMigration } from './commands.ts';
import { evictionOutcomeTable } from './eviction-outcome.ts';
import type { UpdaterState } from './pass.ts';
import {
  abortedEvent,
  abortFailedEvent,
  creationFailedEvent,
  migrationCreatedEvent,
} from './updater-events.ts';

/** What follows an answer of the API server. What is absent does not follow. */
export interface FollowUp {
  /** To be recorded on the VMI, from component `workload-update-controller`. */
  readonly event?: EventDraft;
  /** Ends the pass in an error, so that it is retried at the queue's rate. */
  readonly error?: string;
  /** A creation failed and will never be seen, so nothing is to wait for it. */
  readonly lowersExpectation?: boolean;
  /** What an eviction means for its batch: it used a place, or the place is free and others get their turn first. */
  readonly eviction?: 'accepted' | 'refused';
}

/** What follows the answer to a command of a pass: workload-update §7.1-7.3 of the spec. */
export function followUp(command: Command, result: ApiResult, behavior: Behavior): FollowUp {
  switch (command.kind) {
    case 'createMigration':
      return afterCreation(command.vmi, result);
    case 'evictPod': {
      const input = { vmi: command.vmi, result, behavior };
      return resultOf(evictionOutcomeTable, input);
    }
    case 'deleteMigration':
      return afterDeletion(command, result, behavior);
  }
}

function afterCreation(vmi: Vmi, result: ApiResult): FollowUp {
  if (result.ok) return { event: migrationCreatedEvent(vmi, result.name) };
  const error = result.message;
  return { event: creationFailedEvent(vmi, error), error, lowersExpectation: true };
}

/** A migration that is gone already is nothing to speak of. */
function afterDeletion({ vmi }: DeleteMigration, result: ApiResult, behavior: Behavior): FollowUp {
  if (result.ok) return { event: abortedEvent(vmi) };
  if (isNotFound(result)) return {};
  return { event: abortFailedEvent(vmi, result.message, behavior), error: result.message };
}

/** The error that ends a pass whose status patch failed; nothing else of the pass is done, and its state is not kept. */
export function statusPatchError(failure: ApiFailure): string {
  return `unable to patch kubevirt obj status to update the outdatedVirtualMachineInstanceWorkloads valued: ${failure.message}`;
}

/**
 * What is remembered after an answer at `now`. In `exact` evictions change nothing, since the batch was used up when it was
 * planned.
 */
export function afterFollowUp(
  state: UpdaterState,
  vmi: Vmi,
  { eviction, lowersExpectation }: FollowUp,
  now: Instant,
  behavior: Behavior,
): UpdaterState {
  if (lowersExpectation) return { ...state, expectation: creationObserved(state.expectation) };
  if (behavior === 'exact' || eviction === undefined) return state;
  const { batch } = state;
  return {
    ...state,
    batch: eviction === 'accepted' ? evictionAccepted(batch, vmi, now) : evictionRefused(batch, vmi),
  };
}

/** The error that a pass ends in: the first of its answers that has one; `undefined`: it succeeded. */
export function passError(followUps: readonly FollowUp[]): string | undefined {
  return followUps.find(({ error }) => error !== undefined)?.error;
}
