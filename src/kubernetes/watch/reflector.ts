import type { Clock, Log, Metrics, Random } from '../../controllers/ports.ts';
import type { Kind } from '../../fleet/fleet.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { CallFailure } from '../answer.ts';
import type { ApiClient } from '../api-client.ts';
import { collectionPath, type Resource, resourcesOf } from '../resources.ts';
import { Backoff } from './backoff.ts';
import { type KindCache, keyOfRaw } from './kind-cache.ts';
import { type Listed, listPages } from './list-pages.ts';
import { nextStep } from './next-step.ts';
import { sleep } from './sleep.ts';
import type { WatchTiming } from './timing.ts';
import type { WatchEvent } from './watch-event.ts';
import { type WatchEnd, watchOnce } from './watch-once.ts';

export interface ReflectorOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly timing: WatchTiming;
  /** Follows only objects with these fields; others are as if they were not there. */
  readonly fieldSelector?: string | undefined;
}

/** How it stands with one kind. */
export interface KindStanding {
  /** A whole list came at least once, or the server said that it does not know the kind. */
  readonly settled: boolean;
  /** The server does not know the kind. */
  readonly absent: boolean;
  /** A watch is open now. */
  readonly watching: boolean;
  /** When the server last confirmed what is held: by a list, an event or a bookmark. */
  readonly confirmedAt: Instant | undefined;
  /** Why nothing comes at the moment. */
  readonly problem: string | undefined;
}

/**
 * Keeps one kind of the fleet as the API server has it: lists once, then follows changes, for ever.
 *
 * Promise: whatever happens on the way (closed and broken watches, silence, rubbish, forgotten versions, a server that is
 * away), the fleet ends up as the server, deletions included; a change is told once; the server is asked ever less often
 * while it fails.
 */
export class Reflector<K extends Kind> {
  readonly #cache: KindCache<K>;
  readonly #options: ReflectorOptions;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #resource: Resource;
  #settled = false;
  #absent = false;
  #watching = false;
  #confirmedAt: Instant | undefined;
  #problem: string | undefined;

  constructor(cache: KindCache<K>, options: ReflectorOptions) {
    this.#cache = cache;
    this.#options = options;
    this.#backoff = new Backoff(options.timing.backoff, options.random);
    this.#resource = resourcesOf(cache.kind)[0];
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  standing(): KindStanding {
    return {
      settled: this.#settled,
      absent: this.#absent,
      watching: this.#watching,
      confirmedAt: this.#confirmedAt,
      problem: this.#problem,
    };
  }

  get #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const listed = await this.#list();
      if (listed.ok) await this.#watchFrom(listed.version);
      else await this.#waitAfter(listed);
    }
  }

  /** Lists the best version of the kind that the server has. */
  async #list(): Promise<Listed | CallFailure> {
    let listed: Listed | CallFailure = { ok: false, message: 'stopped' };
    for (const resource of resourcesOf(this.#cache.kind)) {
      this.#resource = resource;
      listed = await this.#listVersion(resource);
      if (this.#stopped || listed.ok || listed.code !== 404) break;
    }
    if (!this.#stopped) this.#noteList(listed);
    return listed;
  }

  async #listVersion(resource: Resource): Promise<Listed | CallFailure> {
    const { api, timing, fieldSelector } = this.#options;
    const seen = new Set<string>();
    const listed = await listPages(api, {
      path: collectionPath(resource),
      pageSize: timing.pageSize,
      fieldSelector,
      signal: this.#stop.signal,
      onPage: (objects) => {
        for (const raw of objects) {
          seen.add(keyOfRaw(raw));
          this.#cache.take(raw);
        }
      },
      onRestart: () => seen.clear(),
    });
    if (listed.ok && !this.#stopped) this.#cache.keepOnly(seen);
    return listed;
  }

  #noteList(listed: Listed | CallFailure): void {
    const { metrics, log } = this.#options;
    const { kind } = this.#cache;
    const absent = !listed.ok && listed.code === 404;
    metrics.count('drover_lists_total', { kind, result: listed.ok ? 'ok' : String(listed.code ?? 'none') });
    this.#absent = absent;
    this.#settled ||= listed.ok || absent;
    this.#problem = listed.ok || absent ? undefined : listed.message;
    if (listed.ok) this.#confirm();
    else if (absent) this.#forgetAll();
    else log.write('warn', 'a kind cannot be listed', { kind, problem: listed.message, code: listed.code });
  }

  /** The kind was there once and was taken away, its objects with it. */
  #forgetAll(): void {
    if (this.#confirmedAt !== undefined) this.#cache.keepOnly(new Set());
  }

  async #waitAfter(failure: CallFailure): Promise<void> {
    const { random, timing } = this.#options;
    const absent = timing.absentSeconds * (0.75 + random.next() / 2);
    const seconds = failure.code === 404 ? absent : this.#backoff.nextSeconds(failure.retryAfterSeconds);
    await this.#sleep(seconds);
  }

  /** Watches, one watch after the other, until only a new list helps. */
  async #watchFrom(version: string): Promise<void> {
    const { clock, metrics, log } = this.#options;
    const { kind } = this.#cache;
    for (let last = version, fruitless = 0; !this.#stopped; ) {
      const openedAt = clock.now();
      const seen = await this.#watch(last);
      if (this.#stopped) return;
      const fruitful = seen.version !== last || isLongEnough(seen.ended, clock.now() - openedAt);
      const next = nextStep(seen.ended, fruitful, fruitless);
      if (fruitful) this.#backoff.reset();
      fruitless = fruitful || next.reason === 'Broken' ? 0 : fruitless + 1;
      last = seen.version;
      metrics.count('drover_watch_ends_total', { kind, reason: next.reason });
      log.write(next.reason === 'Closed' ? 'debug' : 'info', 'a watch ended', {
        kind,
        ...next,
        ...detailOf(seen.ended),
      });
      if (next.wait) await this.#sleep(this.#backoff.nextSeconds(next.retryAfterSeconds));
      if (next.step === 'list') return;
    }
  }

  async #watch(from: string): Promise<{ readonly ended: WatchEnd; readonly version: string }> {
    const { api, clock, random, timing, fieldSelector } = this.#options;
    let version = from;
    const ended = await watchOnce(api, clock, {
      path: collectionPath(this.#resource),
      version: from,
      fieldSelector,
      watchSeconds: timing.watchSeconds * (1 + random.next()),
      inactivitySeconds: timing.inactivitySeconds,
      signal: this.#stop.signal,
      onOpen: () => {
        this.#watching = true;
        this.#problem = undefined;
      },
      onEvent: (event) => {
        version = event.version;
        this.#take(event);
      },
    });
    this.#watching = false;
    if (ended.end !== 'closed') this.#problem = detailOf(ended).problem;
    return { ended, version };
  }

  #take(event: Exclude<WatchEvent, { type: 'ERROR' }>): void {
    this.#confirm();
    if (event.type === 'DELETED') this.#cache.drop(keyOfRaw(event.object));
    else if (event.type !== 'BOOKMARK') this.#cache.take(event.object);
  }

  #confirm(): void {
    this.#confirmedAt = this.#options.clock.now();
  }

  #sleep(seconds: number): Promise<void> {
    return sleep(this.#options.clock, seconds, this.#stop.signal);
  }
}

/** A watch that held this long was worth its opening, though nothing came. */
const FRUITFUL_MS = 500;

/** One that fell silent was not: it may have been so from the beginning. */
function isLongEnough({ end }: WatchEnd, heldMs: number): boolean {
  return end !== 'stalled' && heldMs >= FRUITFUL_MS;
}

function detailOf(ended: WatchEnd): { readonly problem: string; readonly code?: number | undefined } {
  if (ended.end === 'closed') return { problem: 'closed by the server' };
  if (ended.end === 'refused') return { problem: ended.failure.message, code: ended.failure.code };
  return { problem: ended.message };
}
