import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Lab } from '../lab.ts';

/** A server on any free port of this machine, with a certificate that the lab's API server trusts. */
export interface HttpsDoor {
  readonly port: number;
  /** Resolves when it is closed, whoever still talks. */
  close(): Promise<void>;
}

/** `hosts`: further names that the API server calls it by. */
export async function openDoor(
  lab: Lab,
  listener: RequestListener,
  ...hosts: readonly string[]
): Promise<HttpsDoor> {
  const { certificate, key } = await lab.serverCertificate(...hosts);
  const server = createServer({ cert: certificate, key }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
