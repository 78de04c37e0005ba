import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findLabAssets } from '../../lab/assets.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import { freePort } from '../../lab/free-port.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { waitFor } from '../../lab/wait.ts';
import type { ApiClient } from '../api-client.ts';
import { connect } from '../connect.ts';
import { loadLogin } from './kubeconfig.ts';

interface Kubeconfig {
  clusters: { name: string; cluster: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  'current-context': string;
}

describeLab('credentials, as kubectl has them', () => {
  let lab: Lab;
  let folder: string;
  let token: string;
  const clients: ApiClient[] = [];

  beforeAll(async () => {
    lab = await startLab();
    folder = mkdtempSync(join(tmpdir(), 'drover-credentials-'));
    await lab.kubectl(['create', 'serviceaccount', 'bot']);
    token = (await lab.kubectl(['create', 'token', 'bot'])).stdout.trim();
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await lab?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** Writes the administrator's kubeconfig with changes, and gives the file. */
  function write(change: (config: Kubeconfig) => void, name = 'config'): string {
    const config = JSON.parse(readFileSync(lab.kubeconfig, 'utf8')) as Kubeconfig;
    change(config);
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(config));
    return file;
  }

  const withUser = (user: Record<string, unknown>) => (config: Kubeconfig) => {
    config.users = [{ name: 'user', user }];
  };
  const withCluster = (cluster: Record<string, unknown>) => (config: Kubeconfig) => {
    for (const entry of config.clusters) Object.assign(entry.cluster, cluster);
  };

  function client(...options: Parameters<typeof connect>): ApiClient {
    const made = connect(...options);
    clients.push(made);
    return made;
  }

  /** Who the API server takes the client for. */
  async function whoami(api: ApiClient): Promise<Record<string, unknown>> {
    const answer = await api.call({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    if (!answer.ok) return { problem: answer.message, code: answer.code, error: answer.error?.code };
    return (answer.object.status as { userInfo: Record<string, unknown> }).userInfo;
  }
  const bot = { username: 'system:serviceaccount:default:bot' };

  it('a client certificate, in the kubeconfig or in files beside it', async () => {
    expect(await whoami(client({ kubeconfig: lab.kubeconfig }))).toMatchObject({ username: 'admin' });
    const file = write((config) => {
      const { user } = config.users[0] ?? { user: {} as Record<string, unknown> };
      for (const [name, short] of [
        ['client-certificate', 'c.crt'],
        ['client-key', 'c.key'],
      ] as const) {
        writeFileSync(join(folder, short), Buffer.from(String(user[`${name}-data`]), 'base64'));
      }
      config.users = [{ name: 'user', user: { 'client-certificate': 'c.crt', 'client-key': 'c.key' } }];
    });
    expect(await whoami(client({ kubeconfig: file }))).toMatchObject({ username: 'admin' });
  });

  it('a token', async () => {
    expect(await whoami(client({ kubeconfig: write(withUser({ token })) }))).toMatchObject(bot);
  });

  it('a token in a file, read anew when the server refuses it', async () => {
    writeFileSync(join(folder, 'token'), 'worn out');
    const api = client({ kubeconfig: write(withUser({ tokenFile: 'token' })) });
    expect(await whoami(api)).toMatchObject({ code: 401 });
    writeFileSync(join(folder, 'token'), `${token}\n`);
    expect(await whoami(api)).toMatchObject(bot);
  });

  it('nobody in particular', async () => {
    const anonymous = write((config) => {
      config.contexts = [{ name: 'lab', context: { cluster: 'lab' } }];
    });
    expect(await whoami(client({ kubeconfig: anonymous }))).toMatchObject({
      problem: expect.stringContaining('system:anonymous'),
      code: 403,
    });
  });

  it('somebody else, with groups and whatever else is known of them', async () => {
    const file = write((config) => {
      Object.assign(config.users[0]?.user ?? {}, {
        as: 'jane',
        'as-uid': 'u-1',
        'as-groups': ['dev', 'ops'],
        'as-user-extra': { 'example.com/Site': ['a', 'b'] },
      });
    });
    expect(await whoami(client({ kubeconfig: file }))).toEqual({
      username: 'jane',
      uid: 'u-1',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'example.com/site': ['a', 'b'] },
    });
  });

  describe('a plugin', () => {
    const exec = (more: object = {}) =>
      withUser({
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: './plugin',
          interactiveMode: 'Never',
          ...more,
        },
      });
    const runs = (): number => readFileSync(join(folder, 'runs'), 'utf8').length;

    /** A plugin that answers with what stands in the file `answer`, and notes each run. */
    function answerWith(status: object): void {
      writeFileSync(
        join(folder, 'answer'),
        JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status }),
      );
    }
    beforeEach(() => {
      writeFileSync(join(folder, 'runs'), '');
      const script =
        '#!/bin/sh\ncd "$(dirname "$0")"\nprintf x >> runs\nprintf %s "$KUBERNETES_EXEC_INFO" > info\ncat answer\n';
      writeFileSync(join(folder, 'plugin'), script);
      chmodSync(join(folder, 'plugin'), 0o755);
    });

    it('gives a token, once', async () => {
      answerWith({ token });
      const api = client({ kubeconfig: write(exec()) });
      expect(await Promise.all([whoami(api), whoami(api)])).toMatchObject([bot, bot]);
      expect(await whoami(api)).toMatchObject(bot);
      expect(runs()).toBe(1);
      expect(JSON.parse(readFileSync(join(folder, 'info'), 'utf8'))).toEqual({
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: { interactive: false },
      });
    });

    it('is asked again when the server refuses what it gave', async () => {
      answerWith({ token: 'worn-out' });
      const api = client({ kubeconfig: write(exec()) });
      expect(await whoami(api)).toMatchObject({ code: 401 });
      answerWith({ token });
      expect(await whoami(api)).toMatchObject(bot);
    });

    it('gives a certificate, and learns of the cluster when it wants to', async () => {
      const { users } = JSON.parse(readFileSync(lab.kubeconfig, 'utf8')) as Kubeconfig;
      const pem = (name: string): string => Buffer.from(String(users[0]?.user[name]), 'base64').toString();
      answerWith({
        clientCertificateData: pem('client-certificate-data'),
        clientKeyData: pem('client-key-data'),
      });
      expect(await whoami(client({ kubeconfig: write(exec({ provideClusterInfo: true })) }))).toMatchObject({
        username: 'admin',
      });
      const { spec } = JSON.parse(readFileSync(join(folder, 'info'), 'utf8'));
      expect(spec.cluster).toMatchObject({
        server: lab.server,
        'certificate-authority-data': expect.any(String),
      });
    });

    it.each([
      ['cannot be run', { command: './nothing', installHint: 'get it' }, /nothing.*ENOENT \(get it\)$/],
      ['ends badly', { command: 'false' }, /^false: ended with 1$/],
      ['says nothing of use', { command: 'true' }, /^true: /],
    ])('that %s is told', async (_, more, problem) => {
      const api = client({ kubeconfig: write(exec(more)) });
      expect(await whoami(api)).toMatchObject({
        problem: expect.stringMatching(problem),
        error: 'CredentialPluginFailed',
      });
    });
  });

  it('a pod’s own account', async () => {
    const secrets = mkdtempSync(join(folder, 'pod-'));
    for (const [name, text] of [
      ['token', token],
      ['ca.crt', lab.authority],
      ['namespace', 'ns\n'],
    ] as const) {
      writeFileSync(join(secrets, name), text);
    }
    const { hostname, port } = new URL(lab.server);
    const env = { HOME: '/nowhere', KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    expect(await whoami(client({ env, podSecrets: secrets }))).toMatchObject(bot);
    expect(loadLogin({ env, podSecrets: secrets }).namespace).toBe('ns');
  });

  describe('which context', () => {
    it('is the current one, or the one that is asked for', async () => {
      const file = write((config) => {
        config.users.push({ name: 'bot', user: { token } });
        config.contexts.push({ name: 'other', context: { cluster: 'lab', user: 'bot' } });
      });
      expect(await whoami(client({ kubeconfig: file }))).toMatchObject({ username: 'admin' });
      expect(await whoami(client({ kubeconfig: file, context: 'other' }))).toMatchObject(bot);
    });

    it('of several files: the first that says something counts, and those that are not there do not matter', async () => {
      const first = write((config) => {
        config.users = [{ name: 'user', user: { token } }];
        config.clusters = [];
        config.contexts = [];
        config['current-context'] = '';
      }, 'first');
      const env = { KUBECONFIG: ['/no/such/file', first, lab.kubeconfig].join(':') };
      expect(await whoami(client({ env }))).toMatchObject(bot);
    });

    it.each([
      [{ context: 'none' }, 'UnknownContext', 'there is no context "none"'],
      [{ kubeconfig: '/no/such/file' }, 'KubeconfigUnreadable', /^kubeconfig \/no\/such\/file: ENOENT/],
      [{ env: { HOME: '/nowhere' }, kubeconfig: undefined }, 'NoKubeconfig', /no kubeconfig/],
    ])('%j: %s', (options, code, message) => {
      expect(() => connect({ kubeconfig: lab.kubeconfig, ...options })).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    });
  });

  describe('the way to the server', () => {
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
      const port = new URL(lab.server).port;
      const file = write(
        withCluster({ server: `https://api.example:${port}`, 'tls-server-name': 'localhost' }),
      );
      const env = { HTTPS_PROXY: `http://${urlOf(http)}` };
      expect(await whoami(client({ kubeconfig: file, env }))).toMatchObject({ username: 'admin' });
      expect(tunnels).toBe(1);
    });

    it('leads through kubectl proxy, without encryption', async () => {
      const port = await freePort();
      const args = [`--kubeconfig=${lab.kubeconfig}`, 'proxy', `--port=${port}`];
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
