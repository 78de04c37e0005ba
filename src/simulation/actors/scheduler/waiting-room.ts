import type { Instant } from '../../../kubevirt/time.ts';

interface Waiting {
  readonly attempts: number;
  readonly againAt: Instant;
  readonly filters: ReadonlySet<string>;
}

/** Filters that ask who is on the nodes: somebody's leaving may change their answer. */
const BY_OCCUPANTS: ReadonlySet<string> = new Set([
  'TooManyPods',
  'InsufficientResources',
  'TopologySpread',
  'PodAntiAffinity',
  'ExistingPodsAntiAffinity',
]);

/** Filters that ask for company or balance: somebody's coming may change their answer. */
const BY_COMPANY: ReadonlySet<string> = new Set(['PodAffinity', 'TopologySpread']);

const FIRST_SECONDS = 1;
const MOST_SECONDS = 10;

/** Pods that fit nowhere, by what keeps them off, with their back-off. kubernetes v1.36 pkg/scheduler/backend/queue. */
export class WaitingRoom {
  readonly #waiting = new Map<string, Waiting>();

  /** The pod was tried in vain; of the filters each kept it off one node at least. */
  enter(key: string, filters: ReadonlySet<string>, now: Instant): void {
    const attempts = (this.#waiting.get(key)?.attempts ?? 0) + 1;
    const seconds = Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** (attempts - 1));
    this.#waiting.set(key, { attempts, againAt: now + seconds * 1000, filters });
  }

  leave(key: string): void {
    this.#waiting.delete(key);
  }

  /** Until the pod may be tried again; 0 for one that does not wait, or hardly a millisecond. */
  secondsLeft(key: string, now: Instant): number {
    const milliseconds = (this.#waiting.get(key)?.againAt ?? now) - now;
    return milliseconds < 1 ? 0 : milliseconds / 1000;
  }

  all(): Iterable<string> {
    return this.#waiting.keys();
  }

  /** Those for which room may have become free. */
  forDepartures(): Iterable<string> {
    return this.#whose(BY_OCCUPANTS);
  }

  /** Those that may have been waiting for company. */
  forArrivals(): Iterable<string> {
    return this.#whose(BY_COMPANY);
  }

  *#whose(filters: ReadonlySet<string>): Iterable<string> {
    for (const [key, waiting] of this.#waiting) {
      if ([...waiting.filters].some((filter) => filters.has(filter))) yield key;
    }
  }
}
