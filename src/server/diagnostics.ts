import type { ServerResponse } from 'node:http';
import { Session } from 'node:inspector/promises';
import { pipeline } from 'node:stream/promises';
import { getHeapSnapshot, getHeapStatistics } from 'node:v8';
import type { Route } from './operations.ts';

const LONGEST_SECONDS = 60;
const DEFAULT_SECONDS = 10;

/**
 * The inside of the process, for those who look for where time and memory go: `/debug/memory`, `/debug/profile?seconds=10` (a
 * `.cpuprofile`) and `/debug/heap` (a `.heapsnapshot`), both for Chrome's developer tools. A heap holds secrets and its writing
 * stops the process for a while: to be served only where asked for.
 */
export const DIAGNOSTICS: Readonly<Record<string, Route>> = {
  '/debug/memory': (_, response) =>
    sendJson(response, { memory: process.memoryUsage(), heap: getHeapStatistics() }),
  '/debug/profile': async (url, response) => sendJson(response, await profile(secondsOf(url))),
  '/debug/heap': async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    await pipeline(getHeapSnapshot(), response);
  },
};

function secondsOf(url: URL): number {
  const asked = Number(url.searchParams.get('seconds'));
  return asked > 0 ? Math.min(asked, LONGEST_SECONDS) : DEFAULT_SECONDS;
}

async function profile(seconds: number): Promise<object> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return (await session.post('Profiler.stop')).profile;
  } finally {
    session.disconnect();
  }
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
