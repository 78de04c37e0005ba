import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Instant } from '../../kubevirt/time.ts';
import { authorizationOf } from './authorization.ts';
import { dispatcherFor, type TlsMaterial, tlsMaterialOf } from './dispatcher.ts';
import { ExecPlugin, type PluginCluster } from './exec-plugin.ts';
import type { Login } from './kubeconfig.ts';

/** What a request is sent with. */
export interface Access {
  readonly server: string;
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Whether answers may come compressed. */
  readonly compression: boolean;
}

/** Files (tokens, certificates) are looked at anew after this long: kubelet renews a token minutes before it ends. */
const FRESH_MS = 10_000;

/**
 * The credentials of one login, as they are now.
 *
 * Promise: what changes in files or is renewed by a plugin is taken up without a restart. Connections are shared for as
 * long as certificates stay the same; when they change, running requests end on the old ones.
 */
export class Credentials {
  readonly #login: Login;
  readonly #env: NodeJS.ProcessEnv;
  readonly #plugin: ExecPlugin | undefined;
  readonly #now: () => Instant;
  #access: Access | undefined;
  #dispatcherKey = '';
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(login: Login, now: () => Instant, env: NodeJS.ProcessEnv = process.env) {
    this.#login = login;
    this.#now = now;
    this.#env = env;
    const { exec } = login.userExtras;
    this.#plugin = exec ? new ExecPlugin(exec, pluginCluster(login), env) : undefined;
  }

  /** Throws a `KubernetesError` when a plugin fails, and what reading a file throws. */
  async access(): Promise<Access> {
    const now = this.#now();
    const held = this.#access;
    if (held && now - this.#readAt < FRESH_MS) return held;
    const access = await this.#read(now);
    this.#access = access;
    this.#readAt = now;
    return access;
  }

  /** The API server answered 401: the next request asks for credentials anew. */
  noteRefused(): void {
    this.#plugin?.forget();
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Closes all connections, cutting off what runs on them. */
  async close(): Promise<void> {
    await this.#access?.dispatcher.destroy();
  }

  async #read(now: Instant): Promise<Access> {
    const { cluster, user, clusterExtras, userExtras } = this.#login;
    const tls = tlsMaterialOf(cluster, user);
    const known = await authorizationOf(user, userExtras);
    const given = known === undefined ? await this.#plugin?.credential(now) : undefined;
    const authorization = known ?? (given?.token ? `Bearer ${given.token}` : undefined);
    const certificate = given?.clientCertificateData
      ? { cert: given.clientCertificateData, key: given.clientKeyData }
      : {};
    return {
      server: cluster.server,
      dispatcher: this.#dispatcher({ ...tls, ...certificate }),
      headers: { ...(authorization ? { authorization } : {}), ...impersonation(userExtras) },
      compression: !clusterExtras['disable-compression'],
    };
  }

  #dispatcher(tls: TlsMaterial): Dispatcher {
    const key = digest(tls);
    const held = this.#access?.dispatcher;
    if (held && key === this.#dispatcherKey) return held;
    this.#dispatcherKey = key;
    held?.close().catch(() => {});
    const { server, proxyUrl } = this.#login.cluster;
    return dispatcherFor(new URL(server), tls, proxyUrl, this.#env);
  }
}

/** Whom to act as, when the kubeconfig says so. */
function impersonation(user: Login['userExtras']): Record<string, string | string[]> {
  const extra = Object.entries(user['as-user-extra'] ?? {});
  return {
    ...(user.as ? { 'impersonate-user': user.as } : {}),
    ...(user['as-uid'] ? { 'impersonate-uid': user['as-uid'] } : {}),
    ...(user['as-groups']?.length ? { 'impersonate-group': user['as-groups'] } : {}),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`, values]),
    ),
  };
}

function pluginCluster({ cluster, clusterExtras }: Login): PluginCluster {
  const config = clusterExtras.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec');
  return {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.skipTLSVerify || undefined,
    'certificate-authority-data': cluster.caData,
    'proxy-url': cluster.proxyUrl,
    config: config?.extension,
  };
}

function digest(tls: TlsMaterial): string {
  const parts = [tls.ca, tls.cert, tls.key, tls.servername, tls.rejectUnauthorized];
  return createHash('sha256').update(parts.map(String).join('\0')).digest('hex');
}
