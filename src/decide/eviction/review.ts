import { type AdmissionReview, admissionReviewSchema } from '../../kubevirt/admission.ts';
import { withoutNulls } from '../../kubevirt/projection-error.ts';
import type { EvictionAnswer, EvictionRequest } from './admit.ts';

/** A review that was read: the eviction in it, and what the answer must repeat. */
export interface EvictionReview {
  /** Repeated in the answer, whatever it is. */
  readonly apiVersion: string | undefined;
  readonly uid: string;
  readonly request: EvictionRequest;
}

/** An HTTP answer; no body means an empty one. */
export interface HttpAnswer {
  readonly status: number;
  readonly body?: AdmissionReviewAnswer | undefined;
}

interface AdmissionReviewAnswer {
  readonly kind: 'AdmissionReview';
  readonly apiVersion?: string;
  readonly response: AdmissionResponse;
}

interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly metadata: object; readonly message?: string; readonly code?: number };
}

const BAD_REQUEST: HttpAnswer = { status: 400 };

/**
 * Reads a posted review.
 *
 * Promise: a content type other than exactly `application/json`, a body that is no JSON, fields of a wrong type and a
 * review without a request are answered by 400 with an empty body. (KubeVirt crashes on the last, defect U6; then the
 * connection drops, which the API server counts as a failing webhook just the same.) The kind of the review and its
 * apiVersion do not matter. kubevirt v1.9.0 pkg/util/webhooks.
 */
export function decodeReview(contentType: string | undefined, body: string): EvictionReview | HttpAnswer {
  if (contentType !== 'application/json') return BAD_REQUEST;
  const review = readReview(body);
  if (!review?.request) return BAD_REQUEST;
  const { uid, namespace, name, dryRun, object } = review.request;
  return {
    apiVersion: review.apiVersion,
    uid: uid ?? '',
    request: { namespace: namespace ?? '', name: name ?? '', dryRun, object },
  };
}

/** It could be read; otherwise it is the answer already. */
export function isEvictionReview(decoded: EvictionReview | HttpAnswer): decoded is EvictionReview {
  return 'request' in decoded;
}

function readReview(body: string): AdmissionReview | undefined {
  try {
    return admissionReviewSchema.safeParse(withoutNulls(JSON.parse(body))).data;
  } catch {
    return undefined;
  }
}

/** The answer to a review, with its uid and apiVersion. An empty apiVersion is left out. */
export function encodeReview(review: EvictionReview, answer: EvictionAnswer): HttpAnswer {
  const { apiVersion, uid } = review;
  const response = admissionResponse(uid, answer);
  return {
    status: 200,
    body: { kind: 'AdmissionReview', ...(apiVersion ? { apiVersion } : {}), response },
  };
}

/** The response part of the answer. */
export function admissionResponse(uid: string, answer: EvictionAnswer): AdmissionResponse {
  const { allowed, message, code } = answer;
  if (allowed) return { uid, allowed };
  return {
    uid,
    allowed,
    status: {
      metadata: {},
      ...(message === undefined ? {} : { message }),
      ...(code === undefined ? {} : { code }),
    },
  };
}
