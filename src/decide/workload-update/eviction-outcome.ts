import type { Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import {
  type ApiFailure,
  type ApiResult,
  isNotFound,
  isOutcomeUnknown,
  isTooManyRequests,
} from '../api-result.ts';
import { ADMITTER, evacuationInProgress, evacuationStarted } from '../eviction/verdict.ts';
import { vmiRef } from '../evidence.ts';
import type { Behavior, Evidence, Table } from '../rules.ts';
import type { FollowUp } from './outcomes.ts';
import { evacuationStartedEvent, evictedEvent, evictionFailedEvent } from './updater-events.ts';

export interface EvictionOutcomeInput {
  readonly vmi: Vmi;
  readonly result: ApiResult;
  readonly behavior: Behavior;
}

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go:603-632';

/**
 * What an answer to an eviction means: workload-update §7.2 and §12 of the spec. KubeVirt takes every 429 for a failure,
 * also the two by which its own webhook says that the VMI moves; `intended` takes those for progress, and an eviction without
 * an answer for one that uses up its place, so that a lost answer cannot make a batch larger.
 */
export const evictionOutcomeTable: Table<EvictionOutcomeInput, FollowUp> = [
  {
    name: 'EvictionAccepted',
    asks: 'the eviction was accepted',
    source: SOURCE,
    when: ({ result }) => result.ok,
    reads: readAnswer,
    then: ({ vmi, behavior }) => ({ event: evictedEvent(vmi, undefined, behavior), eviction: 'accepted' }),
  },
  {
    name: 'PodGone',
    asks: 'the pod is gone already',
    source: SOURCE,
    when: ({ result }) => !result.ok && isNotFound(result),
    reads: readAnswer,
    then: ({ vmi, result, behavior }) => ({
      event: evictedEvent(vmi, messageOf(result), behavior),
      eviction: 'refused',
    }),
  },
  {
    name: 'EvacuationInProgress',
    asks: 'the webhook says that the VMI is being evacuated since an earlier eviction',
    source: `${ADMITTER}:160-217`,
    when: (input) => answers(input, evacuationInProgress),
    reads: readAnswer,
    then: () => ({ eviction: 'refused' }),
  },
  {
    name: 'EvacuationStarted',
    asks: 'the webhook says that this eviction has started an evacuation',
    source: `${ADMITTER}:160-217`,
    when: (input) => answers(input, evacuationStarted),
    reads: readAnswer,
    then: ({ vmi }) => ({ event: evacuationStartedEvent(vmi), eviction: 'accepted' }),
  },
  {
    name: 'AnswerLost',
    asks: 'no answer came, so that nobody knows whether the eviction was accepted',
    source: SOURCE,
    when: ({ result, behavior }) => behavior === 'intended' && !result.ok && isOutcomeUnknown(result),
    reads: readAnswer,
    then: (input) => ({ ...refusal(input), eviction: 'accepted' }),
  },
  {
    name: 'EvictionRefused',
    asks: 'otherwise the eviction failed',
    source: SOURCE,
    when: () => true,
    reads: readAnswer,
    then: refusal,
  },
];

function refusal({ vmi, result }: EvictionOutcomeInput): FollowUp {
  const error = messageOf(result);
  return { event: evictionFailedEvent(vmi, error), error, eviction: 'refused' };
}

/** Before the webhook's words the API server puts the name of the webhook. */
function answers({ vmi, result, behavior }: EvictionOutcomeInput, wording: (key: string) => string): boolean {
  if (behavior === 'exact' || result.ok || !isTooManyRequests(result)) return false;
  return result.message.endsWith(wording(keyOf(vmi)));
}

function messageOf(result: ApiResult): string {
  return result.ok ? '' : result.message;
}

function readAnswer({ vmi, result }: EvictionOutcomeInput): Evidence[] {
  const object = vmiRef(vmi);
  const failure: Partial<ApiFailure> = result.ok ? {} : result;
  return [
    { object, path: 'eviction.code', value: failure.code },
    { object, path: 'eviction.message', value: failure.message },
  ];
}
