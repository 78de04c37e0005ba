import { BlockList, isIP } from 'node:net';

/**
 * The proxy for a server by the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in either case), with Go's rules, as
 * kubectl has them: never for the machine itself; `NO_PROXY` lists names (with all below them), addresses, networks, ports, or `*`.
 */
export function proxyOf(server: URL, env: NodeJS.ProcessEnv): string | undefined {
  const variable = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = either(env, variable);
  if (!proxy || isThisMachine(server) || isExempt(server, either(env, 'NO_PROXY') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function either(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

function hostOf(server: URL): string {
  return server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function isThisMachine(server: URL): boolean {
  const host = hostOf(server);
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = hostOf(server);
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || isInNetwork(host, entry) || isNamed(host, port, entry));
}

function isInNetwork(host: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  const family = isIP(host);
  if (bits === undefined || family === 0 || isIP(network) !== family) return false;
  const list = new BlockList();
  const type = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}

/** `example.com` means the name and all below it, `.example.com` only those below it; `:6443` at the end, that port only. */
function isNamed(host: string, port: string, entry: string): boolean {
  const [, name = entry, only] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const wanted = name.replace(/^\*(?=\.)/, '').replace(/^\[|\]$/g, '');
  return wanted.startsWith('.') ? host.endsWith(wanted) : host === wanted || host.endsWith(`.${wanted}`);
}
