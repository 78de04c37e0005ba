/** virt-api's admission over HTTP: AdmissionReviews in, what `admitCreation` and `refuseUpdate` say of them out. */
import type { Kind } from '../../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import {
  type AdmissionLookup,
  admitCreation,
  admittedChange,
  type Refusal,
  refuseUpdate,
} from '../../simulation/admission/admit-creation.ts';

interface UserInfo {
  readonly username?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What the API server asks, as far as it matters here. */
export interface ReviewRequest {
  readonly uid: string;
  readonly kind: { readonly kind: string };
  readonly operation: string;
  readonly namespace?: string | undefined;
  readonly userInfo?: UserInfo | undefined;
  readonly object: JsonObject;
  readonly oldObject?: JsonObject | null | undefined;
}

/** The answer to a mutating webhook: what the object lacks, and what of a change is not kept. One that is refused is let through here, for the validation to refuse. */
export function defaultsFor(request: ReviewRequest, lookup: AdmissionLookup): JsonObject {
  const admitted = admittedObject(request, lookup);
  if (!admitted) return { uid: request.uid, allowed: true };
  const patch = Object.entries(admitted)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(request.object[field]))
    .map(([field, value]) => ({ op: value === undefined ? 'remove' : 'add', path: `/${field}`, value }));
  const encoded = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch: encoded };
}

function admittedObject(request: ReviewRequest, lookup: AdmissionLookup): JsonObject | undefined {
  const kind = request.kind.kind as Kind;
  if (request.operation === 'UPDATE')
    return admittedChange(kind, request.oldObject ?? {}, request.object, lookup);
  const answer = admitCreation(kind, placed(request), lookup);
  return answer.allowed ? answer.object : undefined;
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
