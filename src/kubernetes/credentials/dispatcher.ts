import { readFileSync } from 'node:fs';
import type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js';
import { Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { proxyOf } from './proxy.ts';

export interface TlsMaterial {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
  readonly servername?: string | undefined;
}

/** How long a connection may take to be made. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Time limits are each request's own; connections that idle longer are closed before the server closes them under a write. */
const CONNECTIONS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000 };

/** What a cluster and a user bring for TLS. Data in the kubeconfig itself counts before files; those are read anew each time. */
export function tlsMaterialOf(cluster: Cluster, user: User): TlsMaterial {
  return {
    ca: pemOf(cluster.caData, cluster.caFile),
    cert: pemOf(user.certData, user.certFile),
    key: pemOf(user.keyData, user.keyFile),
    servername: cluster.tlsServerName,
    rejectUnauthorized: cluster.skipTLSVerify ? false : undefined,
  };
}

function pemOf(base64: string | undefined, file: string | undefined): string | undefined {
  if (base64) return Buffer.from(base64, 'base64').toString('utf8');
  return file ? readFileSync(file, 'utf8') : undefined;
}

/** Connections to a server, through the kubeconfig's proxy or else that of the environment. */
export function dispatcherFor(
  server: URL,
  material: TlsMaterial,
  proxyUrl: string | undefined,
  env: NodeJS.ProcessEnv,
): Dispatcher {
  const proxy = proxyUrl ?? proxyOf(server, env);
  const tls = { ...definedOf(material), timeout: CONNECT_TIMEOUT_MS };
  if (proxy === undefined) return new Agent({ ...CONNECTIONS, connect: tls });
  if (proxy.startsWith('socks')) {
    return new Socks5ProxyAgent(proxy, { ...CONNECTIONS, ...{ requestTls: tls } });
  }
  return new ProxyAgent({ ...CONNECTIONS, uri: proxy, requestTls: tls });
}

function definedOf(material: TlsMaterial): object {
  return Object.fromEntries(Object.entries(material).filter(([, value]) => value !== undefined));
}
