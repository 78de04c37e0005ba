import type { IncomingMessage } from 'node:http';

/** Reads a request's body as text; undefined where it is larger than allowed, of which no more is then kept. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the request, or the connection would be gone before the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
