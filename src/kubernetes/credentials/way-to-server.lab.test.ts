import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findLabAssets } from '../../lab/control-plane/assets.ts';
import { freePort } from '../../lab/control-plane/free-port.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import { credentialsLab, type Kubeconfig, whoami } from '../../lab/test-credentials.ts';
import { waitFor } from '../../lab/wait.ts';

const withCluster = (cluster: Record<string, unknown>) => (config: Kubeconfig) => {
  for (const entry of config.clusters) Object.assign(entry.cluster, cluster);
};

describeLab('the way to the server', () => {
  const at = credentialsLab();
  const { write, client } = at;

  let http: Server;
  let socks: ReturnType<typeof createTcpServer>;
  let tunnels = 0;
  const urlOf = (server: { address(): unknown }): string =>
    `127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeAll(async () => {
    http = createServer().on('connect', (request, socket) => {
      tunnels++;
      const [host = '', port] = (request.url ?? '').split(':');
      const onward = connectTcp(Number(port), host === 'api.example' ? '127.0.0.1' : host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    socks = createTcpServer((socket) => void serveSocks(socket, () => tunnels++));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => socks.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    http?.close();
    socks?.close();
  });
  beforeEach(() => {
    tunnels = 0;
  });

  it('leads through the proxy of the kubeconfig', async () => {
    const file = write(withCluster({ 'proxy-url': `http://${urlOf(http)}` }));
    expect(await whoami(client({ kubeconfig: file }))).toMatchObject({ username: 'admin' });
    expect(tunnels).toBe(1);
  });

  it('leads through a SOCKS5 proxy', async () => {
    const file = write(withCluster({ 'proxy-url': `socks5://${urlOf(socks)}` }));
    expect(await whoami(client({ kubeconfig: file }))).toMatchObject({ username: 'admin' });
    expect(tunnels).toBe(1);
  });

  it('leads through the proxy of the environment, with the name of the certificate given', async () => {
    const port = new URL(at.lab.server).port;
    const file = write(
      withCluster({ server: `https://api.example:${port}`, 'tls-server-name': 'localhost' }),
    );
    const env = { HTTPS_PROXY: `http://${urlOf(http)}` };
    expect(await whoami(client({ kubeconfig: file, env }))).toMatchObject({ username: 'admin' });
    expect(tunnels).toBe(1);
  });

  it('leads through kubectl proxy, without encryption', async () => {
    const port = await freePort();
    const args = [`--kubeconfig=${at.lab.kubeconfig}`, 'proxy', `--port=${port}`];
    const kubectl = spawn(join(findLabAssets() ?? '', 'kubectl'), args, { stdio: 'ignore' });
    const file = write(withCluster({ server: `http://127.0.0.1:${port}` }));
    const api = client({ kubeconfig: file });
    const info = await waitFor(
      async () => {
        const found = await whoami(api);
        return found.username === undefined ? undefined : found;
      },
      { what: 'kubectl proxy' },
    );
    kubectl.kill();
    expect(info).toMatchObject({ username: 'admin' });
  });

  it('is closed to a server whose certificate nobody knows, unless that is wanted', async () => {
    const strange = (config: Kubeconfig): void => {
      for (const { cluster } of config.clusters) delete cluster['certificate-authority-data'];
    };
    const api = client({ kubeconfig: write(strange) });
    expect(await whoami(api)).toMatchObject({
      problem: expect.stringMatching(/self-signed|unable to verify|issuer/),
      code: undefined,
    });
    const careless = write((config) => {
      strange(config);
      withCluster({ 'insecure-skip-tls-verify': true })(config);
    });
    expect(await whoami(client({ kubeconfig: careless }))).toMatchObject({ username: 'admin' });
  });
});

/** Just enough of RFC 1928: no authentication, CONNECT to an IPv4 address or a name. */
async function serveSocks(socket: Socket, onTunnel: () => void): Promise<void> {
  socket.on('error', () => socket.destroy());
  const next = (): Promise<Buffer> => new Promise((resolve) => socket.once('data', resolve));
  await next();
  socket.write(Buffer.of(5, 0));
  const request = await next();
  const named = request[3] === 3;
  const end = named ? 5 + (request[4] ?? 0) : 8;
  const host = named ? request.subarray(5, end).toString() : request.subarray(4, 8).join('.');
  const onward = connectTcp(request.readUInt16BE(end), host, () => {
    onTunnel();
    socket.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
}
