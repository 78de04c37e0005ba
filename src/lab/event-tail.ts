import type { ApiClient } from '../kubernetes/api-client.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import { jsonLines } from './json-lines.ts';

/** The last events of a cluster, a line each, newest last. */
export interface EventTail {
  lines(): readonly string[];
  stop(): void;
}

/** Follows events from now on; a watch that ends is begun anew, and what happened in between is not told. */
export function followEvents(api: ApiClient, most: number): EventTail {
  const lines: string[] = [];
  const stop = watchEvents(api, (event) => {
    lines.push(lineOf(event));
    if (lines.length > most) lines.shift();
  });
  return { lines: () => lines, stop };
}

/** Calls with each new event until the returned function is called. */
export function watchEvents(api: ApiClient, onEvent: (event: JsonObject) => void): () => void {
  const ending = new AbortController();
  void follow(api, ending.signal, (event) => {
    if (event.type === 'ADDED') onEvent(objectAt(event, 'object'));
  });
  return () => ending.abort();
}

async function follow(api: ApiClient, signal: AbortSignal, take: (event: JsonObject) => void): Promise<void> {
  while (!signal.aborted) {
    const list = await api.call({ method: 'GET', path: '/api/v1/events', query: { limit: '1' }, signal });
    const resourceVersion = list.ok ? String(objectAt(list.object, 'metadata').resourceVersion) : '0';
    const query = { watch: 'true', resourceVersion };
    const stream = await api.open({ method: 'GET', path: '/api/v1/events', query, signal });
    if (stream.ok) await read(stream.chunks, take).catch(() => {});
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 500).unref());
  }
}

async function read(chunks: AsyncIterable<Buffer>, take: (event: JsonObject) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    for (const event of jsonLines(rest)) take(event);
    rest = rest.slice(rest.lastIndexOf('\n') + 1);
  }
}

function lineOf(event: JsonObject): string {
  const { kind, namespace, name } = objectAt(event, 'involvedObject');
  const at = String(event.lastTimestamp ?? event.eventTime ?? '').slice(11, 19);
  const about = namespace ? `${namespace}/${name}` : name;
  return `${at} ${kind} ${about}: ${event.reason}: ${event.message}`;
}
