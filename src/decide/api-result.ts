/** What the API server answered to a command. */
export type ApiResult = ApiSuccess | ApiFailure;

export interface ApiSuccess {
  readonly ok: true;
  /** The name of the object; the one that the API server made, for a creation. */
  readonly name: string;
}

/** `message` is the whole text. A failure without `code` is no answer of the API server: whether it was reached, nobody knows. */
export interface ApiFailure {
  readonly ok: false;
  readonly message: string;
  readonly code?: number | undefined;
  /** The reason of the status, `NotFound` for one; servers may leave it empty. */
  readonly reason?: string | undefined;
}

/** Kubernetes' own reading: the reason counts, and the code only where there is none. */
export function isNotFound(failure: ApiFailure): boolean {
  return failure.reason ? failure.reason === 'NotFound' : failure.code === 404;
}

/** Clients tell "too many requests" by the code alone. */
export function isTooManyRequests(failure: ApiFailure): boolean {
  return failure.code === 429;
}

/** Nobody knows whether what was asked for was carried out: no answer came, or one that says so itself. */
export function isOutcomeUnknown({ code, message }: ApiFailure): boolean {
  return code === undefined || code === 504 || message.includes('etcdserver: request timed out');
}
