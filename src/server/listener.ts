import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CertificateSource } from './certificate.ts';
import { ServerError } from './errors.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Plain HTTP without one. */
  readonly certificate?: CertificateSource | undefined;
  readonly handle: RequestListener;
}

export interface Listener {
  readonly port: number;
  /**
   * Goes on, but ends each connection with its next answer, so that clients make new ones, elsewhere if they are sent there.
   * Closing idle ones instead would hit requests that are just being sent on them.
   */
  drain(): void;
  /** Takes no more connections, lets requests in flight end within so many seconds, and cuts the rest. */
  stop(graceSeconds: number): Promise<void>;
}

/** Longer than any client of the API server's kind keeps an idle connection, so that it is never closed under a request. */
const KEEP_ALIVE_SECONDS = 120;
/** How long a client may take to send its request. */
const REQUEST_SECONDS = 15;

/** Listens. A new certificate holds for new connections; those that stand go on with theirs. */
export async function listen({ host, port, certificate, handle }: ListenerOptions): Promise<Listener> {
  let draining = false;
  const server = serverOf(certificate, (request, response) => {
    if (draining) response.setHeader('connection', 'close');
    handle(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  server.requestTimeout = REQUEST_SECONDS * 1000;
  await begin(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
    },
    stop: (graceSeconds) => {
      draining = true;
      return end(server, graceSeconds);
    },
  };
}

function serverOf(source: CertificateSource | undefined, handle: RequestListener): Server | SecureServer {
  if (!source) return createHttpServer(handle);
  const contextOf = ({ certificate, key }: ReturnType<CertificateSource['current']>) => ({
    cert: certificate,
    key,
    minVersion: 'TLSv1.2' as const,
  });
  const server = createHttpsServer(contextOf(source.current()), handle);
  const leave = source.onChange((changed) => server.setSecureContext(contextOf(changed)));
  server.once('close', leave);
  return server;
}

function begin(server: Server | SecureServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void =>
      reject(new ServerError('CannotListen', `cannot listen on ${host}:${port}: ${error.message}`));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function end(server: Server | SecureServer, graceSeconds: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  // Connections of requests that end meanwhile become idle, and would otherwise stay for the time of the keep-alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}
