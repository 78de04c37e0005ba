import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { credentialsLab, type Kubeconfig, whoami, withUser } from '../../lab/test-credentials.ts';
import { connect } from '../connect.ts';
import { loadLogin } from './kubeconfig.ts';

describeLab('credentials, as kubectl has them', () => {
  const at = credentialsLab();
  const { write, client } = at;
  const bot = { username: 'system:serviceaccount:default:bot' };

  it('a client certificate, in the kubeconfig or in files beside it', async () => {
    expect(await whoami(client({ kubeconfig: at.lab.kubeconfig }))).toMatchObject({ username: 'admin' });
    const file = write((config) => {
      const { user } = config.users[0] ?? { user: {} as Record<string, unknown> };
      for (const [name, short] of [
        ['client-certificate', 'c.crt'],
        ['client-key', 'c.key'],
      ] as const) {
        writeFileSync(join(at.folder, short), Buffer.from(String(user[`${name}-data`]), 'base64'));
      }
      config.users = [{ name: 'user', user: { 'client-certificate': 'c.crt', 'client-key': 'c.key' } }];
    });
    expect(await whoami(client({ kubeconfig: file }))).toMatchObject({ username: 'admin' });
  });

  it('a token', async () => {
    expect(await whoami(client({ kubeconfig: write(withUser({ token: at.token })) }))).toMatchObject(bot);
  });

  it('a token in a file, read anew when the server refuses it', async () => {
    writeFileSync(join(at.folder, 'token'), 'worn out');
    const api = client({ kubeconfig: write(withUser({ tokenFile: 'token' })) });
    expect(await whoami(api)).toMatchObject({ code: 401 });
    writeFileSync(join(at.folder, 'token'), `${at.token}\n`);
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
    const runs = (): number => readFileSync(join(at.folder, 'runs'), 'utf8').length;

    /** A plugin that answers with what stands in the file `answer`, and notes each run. */
    function answerWith(status: object): void {
      writeFileSync(
        join(at.folder, 'answer'),
        JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status }),
      );
    }
    beforeEach(() => {
      writeFileSync(join(at.folder, 'runs'), '');
      const script =
        '#!/bin/sh\ncd "$(dirname "$0")"\nprintf x >> runs\nprintf %s "$KUBERNETES_EXEC_INFO" > info\ncat answer\n';
      writeFileSync(join(at.folder, 'plugin'), script);
      chmodSync(join(at.folder, 'plugin'), 0o755);
    });

    it('gives a token, once', async () => {
      answerWith({ token: at.token });
      const api = client({ kubeconfig: write(exec()) });
      expect(await Promise.all([whoami(api), whoami(api)])).toMatchObject([bot, bot]);
      expect(await whoami(api)).toMatchObject(bot);
      expect(runs()).toBe(1);
      expect(JSON.parse(readFileSync(join(at.folder, 'info'), 'utf8'))).toEqual({
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: { interactive: false },
      });
    });

    it('is asked again when the server refuses what it gave', async () => {
      answerWith({ token: 'worn-out' });
      const api = client({ kubeconfig: write(exec()) });
      expect(await whoami(api)).toMatchObject({ code: 401 });
      answerWith({ token: at.token });
      expect(await whoami(api)).toMatchObject(bot);
    });

    it('gives a certificate, and learns of the cluster when it wants to', async () => {
      const { users } = JSON.parse(readFileSync(at.lab.kubeconfig, 'utf8')) as Kubeconfig;
      const pem = (name: string): string => Buffer.from(String(users[0]?.user[name]), 'base64').toString();
      answerWith({
        clientCertificateData: pem('client-certificate-data'),
        clientKeyData: pem('client-key-data'),
      });
      expect(await whoami(client({ kubeconfig: write(exec({ provideClusterInfo: true })) }))).toMatchObject({
        username: 'admin',
      });
      const { spec } = JSON.parse(readFileSync(join(at.folder, 'info'), 'utf8'));
      expect(spec.cluster).toMatchObject({
        server: at.lab.server,
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
    const secrets = mkdtempSync(join(at.folder, 'pod-'));
    for (const [name, text] of [
      ['token', at.token],
      ['ca.crt', at.lab.authority],
      ['namespace', 'ns\n'],
    ] as const) {
      writeFileSync(join(secrets, name), text);
    }
    const { hostname, port } = new URL(at.lab.server);
    const env = { HOME: '/nowhere', KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    expect(await whoami(client({ env, podSecrets: secrets }))).toMatchObject(bot);
    expect(loadLogin({ env, podSecrets: secrets }).namespace).toBe('ns');
  });

  describe('which context', () => {
    it('is the current one, or the one that is asked for', async () => {
      const file = write((config) => {
        config.users.push({ name: 'bot', user: { token: at.token } });
        config.contexts.push({ name: 'other', context: { cluster: 'lab', user: 'bot' } });
      });
      expect(await whoami(client({ kubeconfig: file }))).toMatchObject({ username: 'admin' });
      expect(await whoami(client({ kubeconfig: file, context: 'other' }))).toMatchObject(bot);
    });

    it('of several files: the first that says something counts, and those that are not there do not matter', async () => {
      const first = write((config) => {
        config.users = [{ name: 'user', user: { token: at.token } }];
        config.clusters = [];
        config.contexts = [];
        config['current-context'] = '';
      }, 'first');
      const env = { KUBECONFIG: ['/no/such/file', first, at.lab.kubeconfig].join(':') };
      expect(await whoami(client({ env }))).toMatchObject(bot);
    });

    it.each([
      [{ context: 'none' }, 'UnknownContext', 'there is no context "none"'],
      [
        { kubeconfig: '/no/such/file' },
        'KubeconfigUnreadable',
        /^kubeconfig \/no\/such\/file: there is no such file/,
      ],
      [{ env: { HOME: '/nowhere' }, kubeconfig: undefined }, 'NoKubeconfig', /no kubeconfig/],
    ])('%j: %s', (options, code, message) => {
      expect(() => connect({ kubeconfig: at.lab.kubeconfig, ...options })).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    });
  });
});
