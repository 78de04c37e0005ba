import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import type { Metrics } from '../controllers/ports.ts';
import type { JsonObject } from '../kubevirt/json.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { type Answer, type CallFailure, failureOf } from './answer.ts';
import type { Credentials } from './credentials/credentials.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { KubernetesError } from './errors.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the server, `/api/v1/pods`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  /** How the metrics call it; the method in lower case where a call has no better name. */
  readonly verb?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiClientOptions {
  readonly credentials: Credentials;
  readonly userAgent: string;
  readonly requestTimeoutSeconds: number;
  readonly metrics?: Metrics | undefined;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Somebody in whose name a client calls, if it may. */
export interface Impersonation {
  readonly user: string;
  /** What else is known of the user, by key. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/** An answer that goes on. `close` cuts it off. */
export interface OpenStream {
  readonly ok: true;
  readonly chunks: AsyncIterable<Buffer>;
  close(): void;
}

/**
 * Calls an API server.
 *
 * Promise: an answer is a value, be it a refusal, a time-out or a broken connection; nothing is thrown for those. A call
 * is sent once. The one exception is 401: then it was not carried out, and it is sent once more if there are other
 * credentials by now.
 */
export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** The same client in somebody else's name, on the same connections; only this one is to be closed. */
  impersonating({ user, extra = {} }: Impersonation): ApiClient {
    const named = Object.entries(extra).map(([key, value]) => [
      `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
      value,
    ]);
    const headers = { 'impersonate-user': user, ...Object.fromEntries(named) };
    return new ApiClient({ ...this.#options, headers });
  }

  /** Sends a call and reads the whole answer, within the request time-out. */
  async call(call: Call): Promise<Answer> {
    const deadline = startDeadline(this.#options.requestTimeoutSeconds, call.signal);
    const answer = await this.#exchange(call, deadline, readAnswer);
    deadline.done();
    return answer;
  }

  /** Opens an answer that goes on, as a watch does. The request time-out holds until it begins; `signal` ends it. */
  async open(call: Call): Promise<OpenStream | CallFailure> {
    const deadline = startDeadline(this.#options.requestTimeoutSeconds, call.signal);
    const opened = await this.#exchange(call, deadline, async ({ body }) => ({
      ok: true as const,
      chunks: body,
      close: () => {
        deadline.done();
        deadline.cut();
      },
    }));
    if (opened.ok) deadline.lift();
    else deadline.done();
    return opened;
  }

  async close(): Promise<void> {
    await this.#options.credentials.close();
  }

  async #exchange<T extends { readonly ok: true }>(
    call: Call,
    deadline: Deadline,
    read: (response: Dispatcher.ResponseData) => Promise<T | CallFailure>,
  ): Promise<T | CallFailure> {
    let code = 'none';
    try {
      const response = await this.#send(call, deadline.signal);
      code = String(response.statusCode);
      return response.statusCode < 300 ? await read(response) : await readFailure(response);
    } catch (error) {
      return this.#unanswered(error, deadline);
    } finally {
      this.#options.metrics?.count('drover_api_requests_total', { verb: verbOf(call), code });
    }
  }

  #unanswered(error: unknown, deadline: Deadline): CallFailure {
    if (error instanceof KubernetesError) return { ok: false, message: error.message, error };
    const { requestTimeoutSeconds } = this.#options;
    const message = deadline.hasPassed() ? `no answer within ${requestTimeoutSeconds}s` : messageOf(error);
    return { ok: false, message };
  }

  async #send(call: Call, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { credentials } = this.#options;
    const first = await credentials.access();
    const response = await this.#request(call, first, signal);
    if (response.statusCode !== 401) return response;
    credentials.noteRefused();
    const second = await credentials.access();
    if (isSameAccess(first, second)) return response;
    await response.body.dump();
    return this.#request(call, second, signal);
  }

  #request(
    { method, path, query, body, contentType = 'application/json' }: Call,
    { server, dispatcher, headers, compression }: Access,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    return request(`${server}${path}${queryText(query)}`, {
      method,
      dispatcher,
      signal,
      headers: {
        accept: 'application/json',
        ...(compression && !query?.watch ? { 'accept-encoding': 'gzip' } : {}),
        'user-agent': this.#options.userAgent,
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...(headers as Record<string, string | string[]>),
        ...this.#options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

type Access = Awaited<ReturnType<Credentials['access']>>;

function isSameAccess(a: Access, b: Access): boolean {
  return a.dispatcher === b.dispatcher && JSON.stringify(a.headers) === JSON.stringify(b.headers);
}

function verbOf({ verb, method }: Call): string {
  return verb ?? method.toLowerCase();
}

function queryText(query: Call['query']): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

async function readAnswer(response: Dispatcher.ResponseData): Promise<Answer> {
  const body = await bodyText(response);
  try {
    return { ok: true, object: JSON.parse(body) as JsonObject };
  } catch {
    return failureOf(response.statusCode, `the answer is no JSON: ${body.slice(0, 100)}`);
  }
}

async function readFailure(response: Dispatcher.ResponseData): Promise<CallFailure> {
  const retryAfter = response.headers['retry-after'];
  return failureOf(response.statusCode, await bodyText(response), String(retryAfter ?? ''));
}

function bodyText({ body, headers }: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-encoding'] !== 'gzip') return body.text();
  const plain = createGunzip();
  body.on('error', (error) => plain.destroy(error));
  return text(body.pipe(plain));
}
