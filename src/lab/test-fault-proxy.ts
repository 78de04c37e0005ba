import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { JSON_SCHEMA, load } from 'js-yaml';
import type { Lab } from './lab.ts';

/** One watch that a client has open through the proxy; the lab may do to it what networks and servers do. */
export interface ProxiedWatch {
  readonly path: string;
  /** Sends bytes that the server never sent. */
  inject(bytes: string | Buffer): void;
  /** Ends it as a server does that had enough. */
  end(): void;
  /** Breaks the connection, with a TCP reset. */
  reset(): void;
  /** Closes the connection in the middle of the answer. */
  cut(): void;
  /** Holds back everything from now on, without a word. */
  stall(): void;
  /** Passes bytes on one at a time. */
  tear(): void;
}

/** What the proxy does to a request instead of passing it on, or before. */
export interface Fault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Waits this long, then passes the request on. */
  readonly delaySeconds?: number;
  /** Opens the watch, and lets nothing of it through. */
  readonly silent?: boolean;
  /** Breaks the connection before the request is passed on, or, with `after`, when the server has answered. */
  readonly reset?: 'before' | 'after';
}

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** How the server's answer was compressed, once it has come. */
  answerEncoding?: string | undefined;
}

export interface FaultProxy {
  /** A kubeconfig that leads through the proxy; whoever comes is the administrator behind it. */
  readonly kubeconfig: string;
  /** All requests so far. */
  readonly requests: readonly ProxiedRequest[];
  /** Watches that are open now. */
  readonly watches: ReadonlySet<ProxiedWatch>;
  /** Decides over each request from now on. */
  setFault(fault: (request: ProxiedRequest) => Fault | undefined): void;
  close(): Promise<void>;
}

/** Puts a proxy before a lab's API server: what goes through it is real, until a test does something to it. */
export async function startFaultProxy(lab: Lab): Promise<FaultProxy> {
  const { certificate, key } = await lab.serverCertificate();
  const server = createServer({ cert: certificate, key });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const relay = new Relay(lab, server);
  return {
    kubeconfig: await lab.kubeconfigFor({ user: 'through-proxy' }, url),
    requests: relay.requests,
    watches: relay.watches,
    setFault: (fault) => {
      relay.fault = fault;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      relay.cutAll();
      await closed;
    },
  };
}

interface Upstream {
  readonly server: string;
  readonly ca: string;
  readonly cert: Buffer;
  readonly key: Buffer;
}

class Relay {
  readonly requests: ProxiedRequest[] = [];
  readonly watches = new Set<ProxiedWatch>();
  fault: (request: ProxiedRequest) => Fault | undefined = () => undefined;
  readonly #upstream: Upstream;
  /** The TCP connections below TLS, by the port of the other side. */
  readonly #sockets = new Map<number, Socket>();

  constructor(lab: Lab, server: Server) {
    this.#upstream = upstreamOf(lab);
    server.on('connection', (socket: Socket) => {
      const port = socket.remotePort ?? 0;
      this.#sockets.set(port, socket);
      socket.on('close', () => this.#sockets.delete(port));
    });
    server.on('request', (incoming, response) => void this.#serve(incoming, response));
  }

  cutAll(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'https://proxy');
    const asked: ProxiedRequest = { method: incoming.method ?? 'GET', path: pathname, query: searchParams };
    this.requests.push(asked);
    const fault = this.fault(asked) ?? {};
    const { delaySeconds = 0, status, headers, body = '' } = fault;
    if (delaySeconds > 0) await new Promise((resolve) => setTimeout(resolve, delaySeconds * 1000));
    if (fault.reset === 'before') incoming.socket.destroy();
    else if (status !== undefined) response.writeHead(status, headers).end(body);
    else this.#pass(incoming, response, asked, fault);
  }

  #pass(incoming: IncomingMessage, response: ServerResponse, asked: ProxiedRequest, fault: Fault): void {
    const { server, ca, cert, key } = this.#upstream;
    const options = {
      method: asked.method,
      headers: { ...incoming.headers, host: new URL(server).host },
      ca,
      cert,
      key,
    };
    const onward = request(`${server}${incoming.url}`, options, (answer) => {
      if (fault.reset === 'after') {
        answer.resume().on('end', () => incoming.socket.destroy());
        return;
      }
      asked.answerEncoding = answer.headers['content-encoding'];
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      if (asked.query.has('watch')) this.#watch(answer, response, asked.path, fault);
      else answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  #watch(answer: IncomingMessage, response: ServerResponse, path: string, { silent }: Fault): void {
    let pass: (chunk: Buffer) => void = (chunk) => send(response, chunk);
    const watch: ProxiedWatch = {
      path,
      inject: (bytes) => send(response, bytes),
      end: () => void response.end(),
      reset: () => void this.#sockets.get(response.socket?.remotePort ?? 0)?.resetAndDestroy(),
      cut: () => void response.destroy(),
      stall: () => {
        pass = () => {};
      },
      tear: () => {
        let last = Promise.resolve();
        pass = (chunk) => {
          for (const byte of chunk) last = last.then(() => writeAlone(response, byte));
        };
      },
    };
    if (silent) watch.stall();
    this.watches.add(watch);
    response.on('close', () => this.watches.delete(watch));
    answer.on('data', (chunk: Buffer) => pass(chunk));
    answer.on('end', () => response.end());
  }
}

function send(response: ServerResponse, bytes: string | Buffer): void {
  if (!response.writableEnded) response.write(bytes);
}

/** One byte in a packet of its own, as far as that can be had. */
function writeAlone(response: ServerResponse, byte: number): Promise<void> {
  return new Promise((resolve) => {
    send(response, Buffer.of(byte));
    setImmediate(resolve);
  });
}

function upstreamOf(lab: Lab): Upstream {
  const { users } = load(lab.readFile('admin.kubeconfig'), { schema: JSON_SCHEMA }) as {
    users: readonly { user: Record<string, string> }[];
  };
  const user = users[0]?.user ?? {};
  return {
    server: lab.server,
    ca: lab.authority,
    cert: Buffer.from(user['client-certificate-data'] ?? '', 'base64'),
    key: Buffer.from(user['client-key-data'] ?? '', 'base64'),
  };
}
