import { expect, it } from 'vitest';
import type { Call } from '../../kubernetes/api-client.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { keepLeases } from './node-leases.ts';

/** An API server with Leases, which tells who was written. */
function leasesServer() {
  const held = new Set<string>();
  const written: string[] = [];
  const call = async ({ method, path, body }: Call) => {
    const name =
      method === 'POST' ? (body as { metadata: { name: string } }).metadata.name : path.split('/').at(-1);
    if (method === 'POST') held.add(String(name));
    if (!held.has(String(name))) return { ok: false, code: 404, message: 'not found' } as const;
    written.push(String(name));
    return { ok: true, code: 200, object: {} } as const;
  };
  return { call, written };
}

it('a node that comes later has a Lease too, and one that is gone is renewed no more', async () => {
  const server = leasesServer();
  const clock = new VirtualClock();
  let nodes = ['n1'];
  const stop = keepLeases(server as never, clock, () => nodes);
  await clock.advance(9);
  expect(server.written).toEqual(['n1']);
  nodes = ['n1', 'n2'];
  await clock.advance(10);
  expect(server.written).toEqual(['n1', 'n1', 'n2']);
  nodes = ['n2'];
  await clock.advance(10);
  expect(server.written.slice(3)).toEqual(['n2']);
  stop();
  await clock.advance(60);
  expect(server.written).toHaveLength(4);
});
