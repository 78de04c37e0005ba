import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { messageOf } from '../kubevirt/thrown.ts';
import type { PrometheusMetrics } from './metrics.ts';

/** Answers one path; the URL has the query. */
export type Route = (url: URL, response: ServerResponse) => void | Promise<void>;

export interface OperationsOptions {
  readonly metrics: PrometheusMetrics;
  /** Why there is nothing to be sent here now, one line each; empty when all is well. */
  readonly unready: () => readonly string[];
  /** Who may see metrics and diagnostics: the code to refuse with, or undefined. Everybody may where absent. */
  readonly refusal?: ((request: IncomingMessage) => Promise<401 | 403 | undefined>) | undefined;
  /** What is to be seen of the process's inside, by path. Nothing where absent. */
  readonly diagnostics?: Readonly<Record<string, Route>> | undefined;
}

/** For kubelet, which brings no token. */
const OPEN: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** `/healthz`: the process answers. `/readyz`: it can do its work; else 503 with what is missing. `/metrics`: for Prometheus. */
export function operationsListener(options: OperationsOptions): RequestListener {
  const routes = routesOf(options);
  return (request, response) => {
    answer(request, response, routes, options).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, messageOf(error));
    });
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ReturnType<typeof routesOf>,
  { refusal }: OperationsOptions,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://drover');
  const route = routes[url.pathname];
  if (!route) return send(response, 404, 'not found');
  const refused = OPEN.has(url.pathname) ? undefined : await refusal?.(request);
  if (refused) send(response, refused, refused === 401 ? 'unauthorized' : 'forbidden');
  else await route(url, response);
}

function routesOf({ metrics, unready, diagnostics }: OperationsOptions): Readonly<Record<string, Route>> {
  return {
    ...diagnostics,
    '/healthz': (_, response) => send(response, 200, 'ok'),
    '/readyz': (_, response) => {
      const missing = unready();
      if (missing.length === 0) send(response, 200, 'ok');
      else send(response, 503, missing.join('\n'));
    },
    '/metrics': async (_, response) => send(response, 200, await metrics.text(), metrics.contentType),
  };
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
