import { nextRetryAt } from '../../../decide/migration/queue.ts';
import type { Instant } from '../../../kubevirt/time.ts';

interface Waiter {
  readonly node: string;
  readonly retrySeconds: number;
  readonly askedAt: Instant;
}

/** A migration, and when it asks again. */
interface Turn {
  readonly key: string;
  readonly at: Instant;
}

/**
 * Migrations that a cap holds back, by the node that they leave. KubeVirt has each of them ask again every few seconds; here
 * they sleep, and it is worked out who would have asked first once there is a place.
 */
export class CapWaiters {
  readonly #byNode = new Map<string, Map<string, Waiter>>();
  readonly #nodes = new Map<string, string>();

  get size(): number {
    return this.#nodes.size;
  }

  /** The migration has asked in vain; one that waits already keeps its times. */
  enter(key: string, node: string, retrySeconds: number, now: Instant): void {
    if (this.#nodes.get(key) === node) return;
    this.leave(key);
    const waiters = this.#byNode.get(node) ?? new Map<string, Waiter>();
    waiters.set(key, { node, retrySeconds, askedAt: now });
    this.#byNode.set(node, waiters);
    this.#nodes.set(key, node);
  }

  leave(key: string): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.#nodes.delete(key);
    const waiters = this.#byNode.get(node);
    waiters?.delete(key);
    if (waiters?.size === 0) this.#byNode.delete(node);
  }

  /** The node that a migration waits to leave; undefined: no cap holds it back. */
  nodeOf(key: string): string | undefined {
    return this.#nodes.get(key);
  }

  keys(): Iterable<string> {
    return this.#nodes.keys();
  }

  /** Who asks first after `now` of those that leave a node with a place, and when; at equal times who has waited longest. */
  soonest(hasPlace: (node: string) => boolean, now: Instant): Turn | undefined {
    let first: Turn | undefined;
    for (const [node, waiters] of this.#byNode) {
      if (!hasPlace(node)) continue;
      for (const [key, { askedAt, retrySeconds }] of waiters) {
        const at = nextRetryAt(askedAt, retrySeconds, now);
        if (!first || at < first.at) first = { key, at };
      }
    }
    return first;
  }
}
