import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { silent } from '../../controllers/silent.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { RECORDED_TIMES } from '../../simulation/actors/node/options.ts';
import { startLiveAgents } from './live-agents.ts';

/** An API server that lets nobody list anything, and how often it was asked. */
function closedServer() {
  const server = { asked: 0, api: undefined as unknown as ApiClient };
  const refuse = async () => {
    server.asked++;
    return { ok: false, code: 403, reason: 'Forbidden', message: 'agents cannot list this' };
  };
  server.api = { call: refuse, open: refuse } as never;
  return server;
}

function started(api: ApiClient, signal: AbortSignal, patienceSeconds: number) {
  const behaviorOf = () => ({});
  return startLiveAgents({
    ...{ api, signal, patienceSeconds, nodes: [], times: RECORDED_TIMES, behaviorOf: behaviorOf as never },
    ...silent,
  });
}

it('agents without rights say what they may not list, and ask no more', async () => {
  const server = closedServer();
  await expect(started(server.api, new AbortController().signal, 0.2)).rejects.toMatchObject({
    code: 'AgentsRefused',
    message: expect.stringContaining('Pod cannot be listed: agents cannot list this'),
  });
  const { asked } = server;
  expect(asked).toBeGreaterThan(0);
  await sleep(1_500);
  expect(server.asked).toBe(asked);
});

it('agents that are asked to end before they are up do so', async () => {
  const stop = new AbortController();
  const agents = started(closedServer().api, stop.signal, 60);
  stop.abort(new Error('asked to end by SIGTERM'));
  await expect(agents).rejects.toThrow('asked to end by SIGTERM');
});
