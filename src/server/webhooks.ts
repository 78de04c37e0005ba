import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../controllers/ports.ts';
import type { HttpAnswer } from '../decide/eviction/review.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { parseDurationSeconds } from '../kubevirt/time.ts';
import { readBody } from './body.ts';

/** An HTTP request as far as a webhook looks at it. */
interface Post {
  readonly contentType: string | undefined;
  readonly body: string;
  readonly answerWithinSeconds: number;
}

export interface WebhookRoutes {
  /** By path. */
  readonly endpoints: ReadonlyMap<string, (post: Post) => Promise<HttpAnswer>>;
  /** Limit of the time for an answer; the API server's own, if it is shorter, counts less a fifth for the way. */
  readonly answerWithinSeconds: number;
  readonly mostBytes: number;
  readonly log: Log;
}

const SHARE_OF_TIMEOUT = 0.8;

/** Hands posts to endpoints: unknown paths get 404, other methods 405, bodies that are too large 413, failures 500. */
export function webhookListener(routes: WebhookRoutes): RequestListener {
  return (request, response) => {
    answer(routes, request, response).catch((error: unknown) => {
      // A client that goes away in the middle has no use for an answer.
      if (request.destroyed && !request.complete) return;
      const problem = messageOf(error);
      routes.log.write('error', 'a webhook failed', { path: request.url, problem });
      if (!response.headersSent) send(response, { status: 500 });
    });
  };
}

async function answer(
  routes: WebhookRoutes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const endpoint = routes.endpoints.get(path);
  if (!endpoint) return send(response, { status: 404 });
  if (request.method !== 'POST') return send(response, { status: 405 });
  const body = await readBody(request, routes.mostBytes);
  if (body === undefined) return refuseRest(request, response);
  const contentType = request.headers['content-type'];
  const answerWithinSeconds = timeFor(query, routes.answerWithinSeconds);
  send(response, await endpoint({ contentType, body, answerWithinSeconds }));
}

/** The API server tells its time-out as `?timeout=10s`. */
function timeFor(query: string, most: number): number {
  const [, timeout = ''] = /(?:^|&)timeout=([^&]*)/.exec(query) ?? [];
  const asked = parseDurationSeconds(timeout) ?? 0;
  return asked > 0 ? Math.min(most, asked * SHARE_OF_TIMEOUT) : most;
}

/** How long the rest of a body that is too large may come in unread, so that the client gets to the answer. */
const REST_MS = 1_000;

function refuseRest(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  send(response, { status: 413 });
  request.resume();
  const cut = setTimeout(() => request.destroy(), REST_MS);
  request.once('close', () => clearTimeout(cut));
}

function send(response: ServerResponse, { status, body }: HttpAnswer): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    'content-length': Buffer.byteLength(text),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  });
  response.end(text);
}
