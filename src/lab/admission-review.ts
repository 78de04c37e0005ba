/** virt-api's admission over HTTP: AdmissionReviews in, what `admitCreation` and `refuseUpdate` say of them out. */
import type { Kind } from '../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import {
  type AdmissionLookup,
  admitCreation,
  type Refusal,
  refuseUpdate,
} from '../simulation/admission/admit-creation.ts';

/** What the API server asks, as far as it matters here. */
export interface ReviewRequest {
  readonly uid: string;
  readonly kind: { readonly kind: string };
  readonly operation: string;
  readonly namespace?: string | undefined;
  readonly userInfo?: { readonly username?: string } | undefined;
  readonly object: JsonObject;
  readonly oldObject?: JsonObject | null | undefined;
}

/** The answer to a mutating webhook: what the object lacks. One that is refused is let through here, for the validation to refuse. */
export function defaultsFor(request: ReviewRequest, lookup: AdmissionLookup): JsonObject {
  const object = placed(request);
  const answer = admitCreation(request.kind.kind as Kind, object, lookup);
  if (!answer.allowed) return { uid: request.uid, allowed: true };
  const patch = Object.entries(answer.object)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(request.object[field]))
    .map(([field, value]) => ({ op: 'add', path: `/${field}`, value }));
  const encoded = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch: encoded };
}

/** The answer to a validating webhook. */
export function verdictOn(request: ReviewRequest, lookup: AdmissionLookup): JsonObject {
  const refusal = refusalOf(request, lookup);
  if (!refusal) return { uid: request.uid, allowed: true };
  const { code, reason, message, causes } = refusal;
  return { uid: request.uid, allowed: false, status: { code, reason, message, details: { causes } } };
}

function refusalOf(request: ReviewRequest, lookup: AdmissionLookup): Refusal | undefined {
  const kind = request.kind.kind as Kind;
  if (request.operation === 'UPDATE')
    return refuseUpdate(kind, request.oldObject ?? {}, request.object, lookup);
  const answer = admitCreation(kind, placed(request), lookup);
  return answer.allowed ? undefined : answer;
}

/** A client may leave the namespace to the path. */
function placed({ object, namespace }: ReviewRequest): JsonObject {
  return { ...object, metadata: { namespace, ...objectAt(object, 'metadata') } };
}
