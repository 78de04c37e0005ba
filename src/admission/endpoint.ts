import type { Log, Metrics } from '../controllers/ports.ts';
import {
  admissionResponse,
  decodeReview,
  type EvictionReview,
  type HttpAnswer,
  isEvictionReview,
} from '../decide/eviction/review.ts';
import type { AdmissionDecision, AdmissionWebhook, Endpoint } from './ports.ts';

export interface EndpointOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds that only grow. */
  readonly elapsed: () => number;
}

/**
 * A webhook as an HTTP endpoint.
 *
 * Promise: what is no review is answered as KubeVirt's handler does, with 400 and nothing else; every review is answered
 * within its time, and what was not written by then is not written any more; each decision is counted by its reason and logged with it.
 */
export function endpointOf(webhook: AdmissionWebhook, options: EndpointOptions): Endpoint {
  const { log, metrics, elapsed } = options;
  return async ({ contentType, body, answerWithinSeconds }) => {
    const begun = elapsed();
    const review = decodeReview(contentType, body);
    if (!isEvictionReview(review)) {
      metrics.count('drover_admission_unreadable_total', { webhook: webhook.name });
      log.write('warn', 'a request is no AdmissionReview', { webhook: webhook.name, bytes: body.length });
      return review;
    }
    const decision = await decideInTime(webhook, review, answerWithinSeconds);
    const seconds = (elapsed() - begun) / 1000;
    tell(options, webhook, review, decision, seconds);
    return encode(review, decision);
  };
}

async function decideInTime(
  webhook: AdmissionWebhook,
  review: EvictionReview,
  seconds: number,
): Promise<AdmissionDecision> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<AdmissionDecision>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve(webhook.late(seconds));
    }, seconds * 1000);
  });
  try {
    return await Promise.race([webhook.decide(review, () => isLate), late]);
  } finally {
    clearTimeout(timer);
  }
}

function tell(
  { log, metrics }: EndpointOptions,
  webhook: AdmissionWebhook,
  { uid, request }: EvictionReview,
  decision: AdmissionDecision,
  seconds: number,
): void {
  const { allowed, reason, code, message, evidence } = decision;
  metrics.count('drover_admissions_total', { webhook: webhook.name, allowed: String(allowed), reason });
  metrics.observe('drover_admission_seconds', seconds, { webhook: webhook.name });
  const { namespace, name, dryRun = false } = request;
  log.write(allowed ? 'debug' : 'info', allowed ? 'let through' : 'refused', {
    webhook: webhook.name,
    uid,
    namespace,
    name,
    dryRun,
    reason,
    code,
    message,
    evidence,
    seconds,
  });
}

/** The answer to a review, with its uid and apiVersion; a patch goes as the API server wants it, in base64. */
function encode({ apiVersion, uid }: EvictionReview, decision: AdmissionDecision): HttpAnswer {
  const { patch, warnings } = decision;
  const response = {
    ...admissionResponse(uid, decision),
    ...(warnings === undefined ? {} : { warnings }),
    ...(patch === undefined ? {} : { patchType: 'JSONPatch', patch: base64(patch) }),
  };
  return {
    status: 200,
    body: { kind: 'AdmissionReview', ...(apiVersion ? { apiVersion } : {}), response },
  };
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
