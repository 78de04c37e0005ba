import { afterEach, describe, expect, it } from 'vitest';
import { DIAGNOSTICS } from './diagnostics.ts';
import { type Listener, listen } from './listener.ts';
import { prometheusMetrics } from './metrics.ts';
import { type OperationsOptions, operationsListener } from './operations.ts';

describe('the listener for operations', () => {
  let listener: Listener | undefined;
  afterEach(() => listener?.stop(0));

  async function serve(change: Partial<OperationsOptions> = {}) {
    const options = { metrics: prometheusMetrics(), unready: () => [], ...change };
    listener = await listen({ host: '127.0.0.1', port: 0, handle: operationsListener(options) });
    const { port } = listener;
    return async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    };
  }

  it('answers health and metrics, and knows nothing else', async () => {
    const get = await serve();
    expect(await get('/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await get('/readyz?verbose')).toEqual({ status: 200, text: 'ok' });
    expect(await get('/metrics')).toMatchObject({ status: 200 });
    for (const path of ['/', '/debug/memory', '/debug/heap', '/debug/profile'])
      expect(await get(path)).toEqual({ status: 404, text: 'not found' });
  });

  it('says why it is not ready', async () => {
    const get = await serve({ unready: () => ['stopping', 'no cache'] });
    expect(await get('/readyz')).toEqual({ status: 503, text: 'stopping\nno cache' });
    expect(await get('/healthz')).toMatchObject({ status: 200 });
  });

  it('asks who wants to see metrics and diagnostics, but not about health', async () => {
    const get = await serve({
      refusal: async ({ headers }) =>
        headers.authorization === 'yes' ? undefined : headers.cookie ? 403 : 401,
      diagnostics: DIAGNOSTICS,
    });
    expect(await get('/metrics')).toEqual({ status: 401, text: 'unauthorized' });
    expect(await get('/debug/memory', { cookie: 'x' })).toEqual({ status: 403, text: 'forbidden' });
    expect(await get('/metrics', { authorization: 'yes' })).toMatchObject({ status: 200 });
    expect(await get('/healthz')).toMatchObject({ status: 200 });
    expect(await get('/readyz')).toMatchObject({ status: 200 });
  });

  it('tells a failure as 500', async () => {
    const get = await serve({
      diagnostics: {
        '/debug/x': () => {
          throw new Error('broken');
        },
      },
    });
    expect(await get('/debug/x')).toEqual({ status: 500, text: 'broken' });
  });

  it('shows the inside of the process where that is asked for', async () => {
    const get = await serve({ diagnostics: DIAGNOSTICS });
    expect(JSON.parse((await get('/debug/memory')).text)).toMatchObject({
      memory: { heapUsed: expect.any(Number) },
      heap: { heap_size_limit: expect.any(Number) },
    });
    expect(JSON.parse((await get('/debug/profile?seconds=0.05')).text)).toMatchObject({
      nodes: expect.any(Array),
      startTime: expect.any(Number),
    });
  });
});
