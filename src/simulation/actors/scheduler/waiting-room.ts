import type { Instant } from '../../../kubevirt/time.ts';

/** What may let a pod in that fits nowhere, besides other nodes. */
export interface WaitsFor {
  /** Nodes that somebody's leaving may make room on. */
  readonly crowded: ReadonlySet<string>;
  /** Somebody's leaving may help wherever it is. */
  readonly anyDeparture: boolean;
  /** Somebody's coming may help. */
  readonly anyArrival: boolean;
}

/** Filters that weigh what is on one node. */
const BY_OCCUPANTS: ReadonlySet<string> = new Set(['TooManyPods', 'InsufficientResources']);

/** Filters that look beyond the node, by its topology. */
const BY_TOPOLOGY: ReadonlySet<string> = new Set([
  'TopologySpread',
  'PodAntiAffinity',
  'ExistingPodsAntiAffinity',
]);

/** Filters that ask for company or balance. */
const BY_COMPANY: ReadonlySet<string> = new Set(['PodAffinity', 'TopologySpread']);

/**
 * What a pod waits for, by the filters that keep it off and the nodes that they keep it off from. `avoidsByNode`: what the pod itself
 * avoids, it avoids on its own node only.
 */
export function waitsFor(refusedBy: ReadonlyMap<string, readonly string[]>, avoidsByNode: boolean): WaitsFor {
  const filters = [...refusedBy.keys()];
  const isLocal = (filter: string) =>
    BY_OCCUPANTS.has(filter) || (avoidsByNode && filter === 'PodAntiAffinity');
  return {
    crowded: new Set(filters.filter(isLocal).flatMap((filter) => refusedBy.get(filter) ?? [])),
    anyDeparture: filters.some((filter) => BY_TOPOLOGY.has(filter) && !isLocal(filter)),
    anyArrival: filters.some((filter) => BY_COMPANY.has(filter)),
  };
}

interface Waiting extends WaitsFor {
  readonly attempts: number;
  readonly againAt: Instant;
}

const FIRST_SECONDS = 1;
const MOST_SECONDS = 10;

/** Pods that fit nowhere, by what keeps them off, with their back-off. kubernetes v1.36 pkg/scheduler/backend/queue. */
export class WaitingRoom {
  readonly #waiting = new Map<string, Waiting>();

  /** The pod was tried in vain. */
  enter(key: string, waits: WaitsFor, now: Instant): void {
    const attempts = (this.#waiting.get(key)?.attempts ?? 0) + 1;
    const seconds = Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** (attempts - 1));
    this.#waiting.set(key, { ...waits, attempts, againAt: now + seconds * 1000 });
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

  /** Those for which room may have become free, now that somebody has left the node. */
  forDeparture(node: string): string[] {
    return this.#who(({ anyDeparture, crowded }) => anyDeparture || crowded.has(node));
  }

  /** Those that may have been waiting for company. */
  forArrival(): string[] {
    return this.#who(({ anyArrival }) => anyArrival);
  }

  #who(waits: (waiting: Waiting) => boolean): string[] {
    return [...this.#waiting].filter(([, waiting]) => waits(waiting)).map(([key]) => key);
  }
}
