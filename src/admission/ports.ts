import type { JsonPatchOperation, PatchOptions } from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';
import type { Lookup } from '../decide/eviction/lookup.ts';
import type { EvictionReview, HttpAnswer } from '../decide/eviction/review.ts';
import type { Evidence } from '../decide/rules.ts';
import type { Kind, KindMap } from '../fleet/fleet.ts';

/** What the webhooks need of a cluster. Nothing is thrown: a failure is a value. */
export interface AdmissionCluster {
  /** An object as it is now, by its key: `namespace/name` or `name`. */
  get<K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>>;
  patch(
    kind: Kind,
    key: string,
    operations: readonly JsonPatchOperation[],
    options?: PatchOptions,
  ): Promise<ApiResult>;
}

/** What a webhook says to one request, and why. */
export interface AdmissionDecision {
  readonly allowed: boolean;
  /** HTTP code and text of a refusal. */
  readonly code?: number | undefined;
  readonly message?: string | undefined;
  /** Shown by kubectl to whoever asked. */
  readonly warnings?: readonly string[] | undefined;
  /** Changes of the object; mutating webhooks only. */
  readonly patch?: readonly JsonPatchOperation[] | undefined;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

export interface AdmissionWebhook {
  /** As logs and metrics call it. */
  readonly name: string;
  readonly path: string;
  /** Once `isLate` says so, something else has been answered: nothing is to be written any more. */
  decide(review: EvictionReview, isLate?: () => boolean): Promise<AdmissionDecision>;
  /** What is said when there is no decision in time. */
  late(answerWithinSeconds: number): AdmissionDecision;
}

/** An HTTP request as far as a webhook looks at it. */
export interface Post {
  readonly contentType: string | undefined;
  readonly body: string;
  /** How long the API server waits, less what the way back may take. */
  readonly answerWithinSeconds: number;
}

/** Answers posted reviews. */
export type Endpoint = (post: Post) => Promise<HttpAnswer>;
