import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { BenchOptions, Measurement } from './measure.ts';

const CONNECTIONS = 8;
const PATH = '/pod-eviction-validate?timeout=10s';
const BODY = readFileSync('testdata/webhook/eviction-review.json', 'utf8').trim();

interface Servers {
  readonly drover: number;
  readonly bare: number;
  readonly authority: string;
}

interface Load {
  /** Milliseconds of each request. */
  readonly took: number[];
  seconds: number;
  answer: string;
}

/**
 * Requests per second and their p99 over 8 connections, with an AdmissionReview as a real API server sent it, against a bare
 * node:https server that answers the same bytes. Both are loaded in turns within one run, so that a busy machine is unjust to
 * both; the reads and the write of a decision come from memory.
 */
export async function benchWebhook({ full }: BenchOptions): Promise<Measurement[]> {
  const server = fileURLToPath(new URL('webhook-server.ts', import.meta.url));
  const child = fork(server, { execArgv: ['--import', 'tsx'] });
  try {
    const [servers] = (await once(child, 'message')) as [Servers];
    return await compare(servers, full ? 40 : 10);
  } finally {
    child.disconnect();
  }
}

async function compare(servers: Servers, turns: number): Promise<Measurement[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca: servers.authority });
  const loads = { drover: emptyLoad(), bare: emptyLoad() };
  for (const name of ['drover', 'bare'] as const) await load(servers[name], agent, 1_000, emptyLoad());
  for (let turn = 0; turn < turns; turn += 1)
    for (const name of ['drover', 'bare'] as const) await load(servers[name], agent, 400, loads[name]);
  agent.destroy();
  if (loads.drover.answer !== loads.bare.answer)
    throw new Error(`not the same bytes: ${loads.drover.answer}`);
  return measurements(loads.drover, loads.bare);
}

function emptyLoad(): Load {
  return { took: [], seconds: 0, answer: '' };
}

/** Sends so many requests over all connections at once, each connection one after another. */
async function load(port: number, agent: Agent, count: number, into: Load): Promise<void> {
  const begun = performance.now();
  let left = count;
  const connection = async (): Promise<void> => {
    while (left-- > 0) {
      const sent = performance.now();
      into.answer = await post(port, agent);
      into.took.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  into.seconds += (performance.now() - begun) / 1000;
}

function post(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
    const options = { host: '127.0.0.1', port, path: PATH, method: 'POST', agent, headers };
    const outgoing = request(options, (response) => resolve(text(response)));
    outgoing.once('error', reject);
    outgoing.end(BODY);
  });
}

function measurements(drover: Load, bare: Load): Measurement[] {
  const rate = ({ took, seconds }: Load): number => took.length / seconds;
  return [
    { name: 'reviews', unit: 'requests/s', value: rate(drover) },
    { name: 'bare node:https', unit: 'requests/s', value: rate(bare) },
    { name: 'bare node:https to reviews', unit: 'times', value: rate(bare) / rate(drover) },
    { name: 'p99 of reviews', unit: 'ms', value: percentile(drover.took, 0.99) },
    { name: 'p99 of bare node:https', unit: 'ms', value: percentile(bare.took, 0.99) },
    {
      name: 'p99 of reviews to bare',
      unit: 'times',
      value: percentile(drover.took, 0.99) / percentile(bare.took, 0.99),
    },
  ];
}

function percentile(values: readonly number[], share: number): number {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN;
}
