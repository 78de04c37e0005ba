import type { EventDraft } from '../../decide/events.ts';
import { formatInstant, type Instant } from '../../kubevirt/time.ts';
import { RecentMap } from './recent-map.ts';

/** What an event is about, as far as the cluster knows it. */
export interface Regarding {
  readonly apiVersion: string;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface EventObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Event';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly involvedObject: object;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

/** What is to be done with an event. `event` is whole, for when the one to be counted up is gone. */
export type Correlated =
  | { readonly write: 'none' }
  | { readonly write: 'create'; readonly event: EventObject }
  | { readonly write: 'count'; readonly event: EventObject };

interface Similar {
  messages: Set<string>;
  lastAt: Instant;
}

interface Bucket {
  tokens: number;
  at: Instant;
}

/** client-go tools/record/events_cache.go: how many are remembered, when similar ones count as one, how many one object may have. */
const REMEMBERED = 4096;
const SIMILAR_MOST = 10;
const SIMILAR_SECONDS = 600;
const BURST = 25;
const REFILL_SECONDS = 300;
const LONGEST_MESSAGE = 1024;

/**
 * Turns a stream of events into few objects, by client-go's rules: the same event again counts up the one that is there;
 * after ten that differ in their message only, further ones count up a common one; beyond a burst of 25, one object gets no
 * more than one event in five minutes.
 */
export class EventCorrelator {
  readonly #counted = new RecentMap<EventObject>(REMEMBERED);
  readonly #similar = new RecentMap<Similar>(REMEMBERED);
  readonly #buckets = new RecentMap<Bucket>(REMEMBERED);
  #made = 0;

  correlate(draft: EventDraft, component: string, regarding: Regarding, now: Instant): Correlated {
    const about = [component, draft.kind, draft.namespace, draft.name, regarding.uid].join('\0');
    const family = [about, draft.type, draft.reason].join('\0');
    const combined = this.#isOneOfMany(family, draft.message, now);
    const message = combined ? `(combined from similar events): ${draft.message}` : draft.message;
    if (!this.#isAffordable(about, now)) return { write: 'none' };
    const key = combined ? family : `${family}\0${draft.message}`;
    const before = this.#counted.get(key);
    const event = before
      ? countUp(before, message, now)
      : this.#make({ ...draft, message }, component, regarding, now);
    this.#counted.set(key, event);
    return { write: before ? 'count' : 'create', event };
  }

  #isOneOfMany(family: string, message: string, now: Instant): boolean {
    const held = this.#similar.get(family);
    const similar =
      held && now - held.lastAt <= SIMILAR_SECONDS * 1000
        ? held
        : { messages: new Set<string>(), lastAt: now };
    similar.lastAt = now;
    const many = similar.messages.size >= SIMILAR_MOST && !similar.messages.has(message);
    if (!many) similar.messages.add(message);
    this.#similar.set(family, similar);
    return many;
  }

  #isAffordable(about: string, now: Instant): boolean {
    const held = this.#buckets.get(about) ?? { tokens: BURST, at: now };
    const refilled = Math.min(BURST, held.tokens + (now - held.at) / 1000 / REFILL_SECONDS);
    const affordable = refilled >= 1;
    this.#buckets.set(about, { tokens: refilled - Number(affordable), at: now });
    return affordable;
  }

  #make(draft: EventDraft, component: string, regarding: Regarding, now: Instant): EventObject {
    const { kind, namespace, name, type, reason } = draft;
    const at = formatInstant(now);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: this.#nameFor(name, now), namespace: namespace ?? 'default' },
      involvedObject: { kind, namespace, name, ...regarding },
      type,
      reason,
      message: draft.message.slice(0, LONGEST_MESSAGE),
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
  }

  /** `name.<hexadecimal nanoseconds>`, never the same twice. */
  #nameFor(name: string, now: Instant): string {
    this.#made = (this.#made + 1) % 1_000_000;
    const nanoseconds = BigInt(Math.floor(now)) * 1_000_000n + BigInt(this.#made);
    return `${name.slice(0, 230)}.${nanoseconds.toString(16)}`;
  }
}

function countUp(before: EventObject, message: string, now: Instant): EventObject {
  return {
    ...before,
    message: message.slice(0, LONGEST_MESSAGE),
    lastTimestamp: formatInstant(now),
    count: before.count + 1,
  };
}
