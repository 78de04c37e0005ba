import type { IncomingMessage } from 'node:http';
import type { ApiClient } from '../kubernetes/api-client.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import type { Instant } from '../kubevirt/time.ts';

export type Refusal = 401 | 403 | undefined;

/** How long an answer of the API server holds. */
const REMEMBERED_MS = 60_000;
/** Tokens remembered at most. */
const MOST = 1_000;

const API = '/apis/authentication.k8s.io/v1/tokenreviews';
const ACCESS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/**
 * Lets in who brings a bearer token of somebody that may `get` the path as a non-resource URL, as the API server has it
 * (`nonResourceURLs: ["/metrics"]` in a ClusterRole). Needs the right to create tokenreviews and subjectaccessreviews.
 *
 * Promise: 401 without a token that the API server knows, 403 without the right; while the API server cannot be asked, nobody
 * gets in but who did within the last minute.
 */
export function tokenAccess(
  api: Pick<ApiClient, 'call'>,
  now: () => Instant,
): (request: Pick<IncomingMessage, 'headers' | 'url'>) => Promise<Refusal> {
  const known = new Map<string, { readonly refusal: Refusal; readonly until: Instant }>();
  return async ({ headers, url = '/' }) => {
    const [path = '/'] = url.split('?');
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return 401;
    const key = `${path} ${token}`;
    const held = known.get(key);
    if (held && held.until > now()) return held.refusal;
    const refusal = await ask(api, token, path);
    known.delete(key);
    if (refusal === 'unknown') return 403;
    if (known.size >= MOST) known.clear();
    known.set(key, { refusal, until: now() + REMEMBERED_MS });
    return refusal;
  };
}

async function ask(api: Pick<ApiClient, 'call'>, token: string, path: string): Promise<Refusal | 'unknown'> {
  const review = await create(api, API, 'TokenReview', 'authentication.k8s.io/v1', { token });
  if (!review) return 'unknown';
  if (review.authenticated !== true) return 401;
  const { username, groups } = objectAt(review, 'user');
  const access = await create(api, ACCESS, 'SubjectAccessReview', 'authorization.k8s.io/v1', {
    user: username,
    groups,
    nonResourceAttributes: { path, verb: 'get' },
  });
  if (!access) return 'unknown';
  return access.allowed === true ? undefined : 403;
}

async function create(
  api: Pick<ApiClient, 'call'>,
  path: string,
  kind: string,
  apiVersion: string,
  spec: object,
): Promise<JsonObject | undefined> {
  const answer = await api.call({ method: 'POST', path, body: { apiVersion, kind, spec }, verb: 'create' });
  return answer.ok ? objectAt(answer.object, 'status') : undefined;
}
