import type { Clock } from '../../controllers/ports.ts';
import { messageOf } from '../../kubevirt/thrown.ts';
import type { CallFailure } from '../answer.ts';
import type { ApiClient, OpenStream } from '../api-client.ts';
import { BadLine, ByteLines } from './byte-lines.ts';
import { readWatchEvent, type WatchEvent } from './watch-event.ts';

export interface WatchOptions {
  readonly path: string;
  /** The version from which changes are told. */
  readonly version: string;
  /** As for the list before it. */
  readonly fieldSelector?: string | undefined;
  /** How long the server is to keep it open. */
  readonly watchSeconds: number;
  /** How long it may be silent; servers send a bookmark about once a minute. */
  readonly inactivitySeconds: number;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (event: Exclude<WatchEvent, { type: 'ERROR' }>) => void;
}

/** How a watch ended: the server closed it, the connection broke, nothing came, a line was no event, or the server refused. */
export type WatchEnd =
  | { readonly end: 'closed' }
  | { readonly end: 'broken' | 'stalled' | 'bad'; readonly message: string }
  | { readonly end: 'refused'; readonly failure: CallFailure };

/** Opens one watch and follows it to its end. Every event was handed over, in order, when it resolves. */
export async function watchOnce(api: ApiClient, clock: Clock, options: WatchOptions): Promise<WatchEnd> {
  const { path, version, watchSeconds, signal, fieldSelector } = options;
  const query = {
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    watch: '1',
    allowWatchBookmarks: 'true',
    resourceVersion: version,
    timeoutSeconds: String(Math.round(watchSeconds)),
  };
  const stream = await api.open({ method: 'GET', path, query, verb: 'watch', signal });
  if (!stream.ok) {
    return stream.code === undefined
      ? { end: 'broken', message: stream.message }
      : { end: 'refused', failure: stream };
  }
  options.onOpen();
  return follow(stream, clock, options);
}

async function follow(stream: OpenStream, clock: Clock, options: WatchOptions): Promise<WatchEnd> {
  const silence = watchSilence(clock, options.inactivitySeconds, () => stream.close());
  try {
    const lines = new ByteLines();
    for await (const chunk of stream.chunks) {
      silence.heard();
      const failure = handOver(lines.push(chunk), options.onEvent);
      if (failure) return { end: 'refused', failure };
    }
    return lines.rest > 0 ? { end: 'broken', message: 'it ended within a line' } : { end: 'closed' };
  } catch (error) {
    if (silence.isTooLong()) return { end: 'stalled', message: `silent for ${options.inactivitySeconds}s` };
    return { end: error instanceof BadLine ? 'bad' : 'broken', message: messageOf(error) };
  } finally {
    silence.stop();
    stream.close();
  }
}

function handOver(lines: readonly string[], onEvent: WatchOptions['onEvent']): CallFailure | undefined {
  for (const line of lines) {
    const event = readWatchEvent(line);
    if (event.type === 'ERROR') return event.failure;
    onEvent(event);
  }
  return undefined;
}

/** Calls once when nothing was heard for so long. One timer at a time, however much is heard. */
function watchSilence(clock: Clock, seconds: number, onTooLong: () => void) {
  let heardAt = clock.now();
  let tooLong = false;
  const check = (): void => {
    const left = seconds - (clock.now() - heardAt) / 1000;
    if (left > 0) cancel = clock.after(left, check);
    else {
      tooLong = true;
      onTooLong();
    }
  };
  let cancel = clock.after(seconds, check);
  return {
    heard: () => {
      heardAt = clock.now();
    },
    isTooLong: () => tooLong,
    stop: () => cancel(),
  };
}
