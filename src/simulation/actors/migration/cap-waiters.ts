import { nextRetryAt } from '../../../decide/migration/queue.ts';
import type { Instant } from '../../../kubevirt/time.ts';

interface Waiter {
  readonly key: string;
  readonly node: string;
  readonly retrySeconds: number;
  readonly askedAt: Instant;
  /** Greater for who came later. */
  readonly order: number;
}

/** A migration, and when it asks again. */
interface Turn {
  readonly key: string;
  readonly at: Instant;
}

/**
 * Migrations that a cap holds back, by the node that they leave. KubeVirt has each of them ask again every few seconds; here
 * they sleep, and it is worked out who would have asked first once there is a place.
 *
 * Promise: a question costs what the waiters of nodes cost that may have a place: those that somebody has asked at, or that were
 * named to `reopen`, since they had none. `toCall` leaves out nodes whose waiters have all been `called` since then.
 */
export class CapWaiters {
  readonly #byNode = new Map<string, Map<string, Waiter>>();
  readonly #waiters = new Map<string, Waiter>();
  /** Nodes that may have a place. */
  readonly #open = new Set<string>();
  /** Of these, nodes with waiters who do not know of it. */
  readonly #uncalled = new Set<string>();
  #entered = 0;

  get size(): number {
    return this.#waiters.size;
  }

  /** The migration has asked in vain; one that waits already keeps its times. */
  enter(key: string, node: string, retrySeconds: number, now: Instant): void {
    this.reopen([node]);
    if (this.#waiters.get(key)?.node === node) return;
    this.leave(key);
    const waiter = { key, node, retrySeconds, askedAt: now, order: this.#entered++ };
    const waiters = this.#byNode.get(node) ?? new Map<string, Waiter>();
    this.#byNode.set(node, waiters.set(key, waiter));
    this.#waiters.set(key, waiter);
  }

  leave(key: string): void {
    const waiter = this.#waiters.get(key);
    if (!waiter) return;
    this.#waiters.delete(key);
    const waiters = this.#byNode.get(waiter.node);
    waiters?.delete(key);
    if (waiters?.size === 0) this.#byNode.delete(waiter.node);
  }

  /** These nodes may have a place again. */
  reopen(nodes: Iterable<string>): void {
    for (const node of nodes) {
      this.#open.add(node);
      this.#uncalled.add(node);
    }
  }

  /** So may all. */
  reopenAll(): void {
    this.reopen(this.#byNode.keys());
  }

  keys(): Iterable<string> {
    return this.#waiters.keys();
  }

  /** Keys of those that leave a node with a place, and may not know of it. */
  toCall(hasPlace: (node: string) => boolean): readonly string[] {
    return this.#among(this.#uncalled, hasPlace).flatMap((waiters) => [...waiters.keys()]);
  }

  /** These will ask. */
  called(keys: ReadonlySet<string>): void {
    for (const node of this.#uncalled) {
      if (allOf(this.#byNode.get(node)?.keys() ?? [], keys)) this.#uncalled.delete(node);
    }
  }

  /** Who asks first after `now` of those that leave a node with a place, and when; at equal times who has waited longest. */
  soonest(hasPlace: (node: string) => boolean, now: Instant): Turn | undefined {
    let first: { readonly waiter: Waiter; readonly at: Instant } | undefined;
    for (const waiters of this.#among(this.#open, hasPlace)) {
      for (const waiter of waiters.values()) {
        const at = nextRetryAt(waiter.askedAt, waiter.retrySeconds, now);
        const isSooner = !first || at < first.at || (at === first.at && waiter.order < first.waiter.order);
        if (isSooner) first = { waiter, at };
      }
    }
    return first && { key: first.waiter.key, at: first.at };
  }

  /** The waiters of each of the nodes with a place; nodes without are not asked about again before they are reopened. */
  #among(nodes: Set<string>, hasPlace: (node: string) => boolean): ReadonlyMap<string, Waiter>[] {
    const found: ReadonlyMap<string, Waiter>[] = [];
    for (const node of nodes) {
      const waiters = this.#byNode.get(node);
      if (waiters && hasPlace(node)) found.push(waiters);
      else nodes.delete(node);
    }
    return found;
  }
}

function allOf(wanted: Iterable<string>, keys: ReadonlySet<string>): boolean {
  for (const one of wanted) if (!keys.has(one)) return false;
  return true;
}
