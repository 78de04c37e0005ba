import type { Clock, Log, Metrics } from '../../controllers/ports.ts';
import type { EventDraft } from '../../decide/events.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { isKnownKind } from '../../kubevirt/kinds.ts';
import type { Answer, CallFailure } from '../answer.ts';
import type { ApiClient } from '../api-client.ts';
import { apiVersionOf, resourcesOf } from '../resources.ts';
import { EventCorrelator, type EventObject, type Regarding } from './event-correlator.ts';

export interface EventRecorderOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly fleet: Fleet;
}

/** Events that wait to be written at most; beyond, new ones are dropped: the cluster matters more than tales of it. */
const WAITING_MOST = 1_000;
const TRIES = 4;

/**
 * Writes events, one after the other, beside everything else.
 *
 * Promise: recording takes no time and never fails. An event whose writing fails for a passing cause is tried again under
 * the same name, so that it cannot come twice; then it is given up and logged.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #correlator = new EventCorrelator();
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;
  #wake = (): void => {};

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  record(draft: EventDraft, component: string): void {
    if (this.#isClosed || this.#waiting >= WAITING_MOST) this.#count('dropped');
    else this.#take(draft, component);
  }

  /**
   * For the end: resolves when every event so far was written or given up, or after so many seconds. Events that still wait then are
   * dropped, so that nothing holds up the end of the process.
   */
  async flush(seconds: number): Promise<void> {
    let cancel = (): void => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(seconds, resolve);
    });
    await Promise.race([this.#last, patience]);
    cancel();
    this.#isClosed = true;
    this.#wake();
  }

  #take(draft: EventDraft, component: string): void {
    const now = this.#options.clock.now();
    const correlated = this.#correlator.correlate(draft, component, this.#regarding(draft), now);
    if (correlated.write === 'none') {
      this.#count('spared');
      return;
    }
    const { event, write } = correlated;
    this.#waiting++;
    this.#last = this.#last.then(() => this.#write(event, write));
  }

  #regarding({ kind, namespace, name }: EventDraft): Regarding {
    if (!isKnownKind(kind)) return { apiVersion: 'v1' };
    const held = this.#options.fleet.get(kind, namespace ? `${namespace}/${name}` : name);
    const { uid, resourceVersion } = held?.metadata ?? {};
    return { apiVersion: apiVersionOf(resourcesOf(kind)[0]), uid, resourceVersion };
  }

  async #write(event: EventObject, write: 'create' | 'count'): Promise<void> {
    if (this.#isClosed) {
      this.#waiting--;
      this.#count('dropped');
      return;
    }
    const failure = await this.#try(event, write);
    this.#waiting--;
    this.#count(failure ? 'failed' : 'written');
    if (!failure) return;
    const { reason, metadata } = event;
    this.#options.log.write('warn', 'an event could not be recorded', {
      reason,
      event: `${metadata.namespace}/${metadata.name}`,
      problem: failure.message,
    });
  }

  async #try(event: EventObject, write: 'create' | 'count'): Promise<CallFailure | undefined> {
    for (let tried = 1; ; tried++) {
      const answer = await this.#send(event, write);
      if (answer.ok || (answer.code === 409 && tried > 1)) return undefined;
      if (write === 'count' && answer.code === 404) return this.#try(event, 'create');
      if (!isPassing(answer) || tried >= TRIES || this.#isClosed) return answer;
      await this.#pause(2 ** tried);
      if (this.#isClosed) return answer;
    }
  }

  #send(event: EventObject, write: 'create' | 'count'): Promise<Answer> {
    const path = `/api/v1/namespaces/${event.metadata.namespace}/events`;
    if (write === 'create')
      return this.#options.api.call({ method: 'POST', path, body: event, verb: 'create' });
    const { count, lastTimestamp, message } = event;
    return this.#options.api.call({
      method: 'PATCH',
      path: `${path}/${event.metadata.name}`,
      body: { count, lastTimestamp, message },
      contentType: 'application/merge-patch+json',
    });
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(seconds, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #count(result: string): void {
    this.#options.metrics.count('drover_events_total', { result });
  }
}

function isPassing({ code }: CallFailure): boolean {
  return code === undefined || code === 429 || code >= 500;
}
