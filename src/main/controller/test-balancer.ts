import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands for a Service: hands each connection to the next of its ports, and on to another where one does not answer. */
export interface Balancer {
  readonly port: number;
  /** Who gets connections from now on. */
  setPorts(ports: readonly number[]): void;
  /** Connections so far, by port. */
  readonly handed: ReadonlyMap<number, number>;
  close(): void;
}

export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let turn = 0;
  const handed = new Map<number, number>();
  const open = new Set<Socket>();
  const hand = (client: Socket, tries: number): void => {
    const port = ports[turn++ % ports.length];
    if (port === undefined || tries === 0) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    upstream.once('error', () => hand(client, tries - 1));
    upstream.once('connect', () => {
      handed.set(port, (handed.get(port) ?? 0) + 1);
      upstream.removeAllListeners('error');
      upstream.on('error', () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    client.on('close', () => upstream.destroy());
  };
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => {});
    client.once('close', () => open.delete(client));
    hand(client, 3);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    handed,
    setPorts: (changed) => {
      ports = changed;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
