import { z } from 'zod';
import type { ApiFailure } from '../decide/api-result.ts';
import type { JsonObject } from '../kubevirt/json.ts';
import type { KubernetesError } from './errors.ts';

/** What the API server said to a call. Only `ok` with a body that is JSON is a success. */
export type Answer = Success | CallFailure;

export interface Success {
  readonly ok: true;
  readonly object: JsonObject;
}

/** A failure without `code` never got an answer: whether the call was carried out is not known. */
export interface CallFailure extends ApiFailure {
  /** How long the server asks callers to wait. */
  readonly retryAfterSeconds?: number | undefined;
  /** Why nothing could be sent, where a user can do something about it. */
  readonly error?: KubernetesError | undefined;
}

const statusSchema = z.object({
  kind: z.literal('Status'),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
  details: z.object({ retryAfterSeconds: z.number().optional() }).optional(),
});

/** Longest text of an answer that is no Status, as a proxy on the way may give. */
const MOST_TEXT = 300;

/** The failure that an HTTP answer means. `retryAfter` is the header of that name. */
export function failureOf(code: number, body: string, retryAfter?: string | undefined): CallFailure {
  const status = readStatus(body);
  const header = Number(retryAfter);
  const retryAfterSeconds = status?.details?.retryAfterSeconds ?? (header > 0 ? header : undefined);
  return {
    ok: false,
    code,
    message: status?.message || body.trim().slice(0, MOST_TEXT) || `the server answered ${code}`,
    reason: status?.reason,
    retryAfterSeconds,
  };
}

/** The failure in a Status object, such as the one in a watch's ERROR event; undefined for anything else. */
export function failureOfStatus(object: unknown): CallFailure | undefined {
  const parsed = statusSchema.safeParse(object);
  if (!parsed.success) return undefined;
  const { message = '', reason, code, details } = parsed.data;
  return { ok: false, message, reason, code, retryAfterSeconds: details?.retryAfterSeconds };
}

function readStatus(body: string): z.infer<typeof statusSchema> | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** What was asked for is of a version that the server has forgotten: only a new list helps. */
export function isExpired(failure: CallFailure): boolean {
  return failure.code === 410 || failure.reason === 'Expired' || failure.reason === 'Gone';
}
