import type { RequestListener, ServerResponse } from 'node:http';
import type { PrometheusMetrics } from './metrics.ts';

export interface OperationsOptions {
  readonly metrics: PrometheusMetrics;
  /** Why there is nothing to be sent here now, one line each; empty when all is well. */
  readonly unready: () => readonly string[];
}

/** `/healthz`: the process answers. `/readyz`: it can do its work; else 503 with what is missing. `/metrics`: for Prometheus. */
export function operationsListener({ metrics, unready }: OperationsOptions): RequestListener {
  const routes: Readonly<Record<string, (response: ServerResponse) => void | Promise<void>>> = {
    '/healthz': (response) => send(response, 200, 'ok'),
    '/readyz': (response) => {
      const missing = unready();
      if (missing.length === 0) send(response, 200, 'ok');
      else send(response, 503, missing.join('\n'));
    },
    '/metrics': async (response) => send(response, 200, await metrics.text(), metrics.contentType),
  };
  return async (request, response) => {
    const route = routes[(request.url ?? '/').split('?')[0] ?? '/'];
    if (!route) return send(response, 404, 'not found');
    try {
      await route(response);
    } catch (error) {
      send(response, 500, error instanceof Error ? error.message : String(error));
    }
  };
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
