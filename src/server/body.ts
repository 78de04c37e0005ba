import type { IncomingMessage } from 'node:http';

/**
 * Reads a request's body as text; undefined where it is larger than allowed, as soon as that is known: what is left of it is
 * then not kept. Rejects when the client goes away in the middle.
 */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // By events: to iterate over the request takes several times as long as all the rest of a small one.
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('close', () => reject(new Error('the client went away')));
    request.once('error', reject);
  });
}
