import type { AdmissionDecision } from './ports.ts';

const TOO_MANY_REQUESTS = 429;

/**
 * An eviction about which nothing is known in time is refused with the code on which drain clients try again; with a
 * time-out of the webhook, which the API server makes an error 500, they would give up.
 */
export function refusedLate(answerWithinSeconds: number): AdmissionDecision {
  return {
    allowed: false,
    code: TOO_MANY_REQUESTS,
    message: `drover had no answer from the API server within ${answerWithinSeconds}s; try again`,
    reason: 'Late',
    evidence: [],
  };
}
