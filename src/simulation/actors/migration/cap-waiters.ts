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
  readonly waiter: Waiter;
  readonly at: Instant;
}

/** Who is woken when another migration is over. */
interface Callable {
  isFirst(key: string): boolean;
  /** Those who have come to be so since this was last asked. */
  takeNewFirst(): readonly string[];
}

/**
 * Migrations that a cap holds back, by the node that they leave. KubeVirt has each of them ask again every few seconds; here
 * they sleep, and it is worked out who would have asked first once there is a place.
 *
 * Promise: a question costs what the nodes cost that may have a place: those that somebody has asked at, or that were named to
 * `reopen`, since they had none. The waiters of a node are looked through when one has come or gone, or its turn is over.
 */
export class CapWaiters {
  readonly #byNode = new Map<string, Map<string, Waiter>>();
  readonly #waiters = new Map<string, Waiter>();
  /** Nodes that may have a place. */
  readonly #open = new Set<string>();
  /** Of these, nodes whose waiters have not been called since. */
  readonly #uncalled = new Set<string>();
  /** Whose turn it is next at each node, as long as it is still to come and nobody has come or gone. */
  readonly #turns = new Map<string, Turn>();
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
    this.#turns.delete(node);
  }

  leave(key: string): void {
    const waiter = this.#waiters.get(key);
    if (!waiter) return;
    this.#waiters.delete(key);
    this.#turns.delete(waiter.node);
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

  /**
   * Keys of those that leave a node with a place, may not know of it, and are among the first: all of a node since it was reopened or
   * somebody asked there in vain, and those that have come to be among the first since.
   */
  toCall(hasPlace: (node: string) => boolean, first: Callable): readonly string[] {
    const late = first.takeNewFirst().filter((key) => {
      const waiter = this.#waiters.get(key);
      return waiter !== undefined && !this.#uncalled.has(waiter.node) && hasPlace(waiter.node);
    });
    const called = this.#among(this.#uncalled, hasPlace).flatMap((node) =>
      [...(this.#byNode.get(node)?.keys() ?? [])].filter((key) => first.isFirst(key)),
    );
    this.#uncalled.clear();
    return [...late, ...called];
  }

  /** Who asks first after `now` of those that leave a node with a place, and when; at equal times who has waited longest. */
  soonest(
    hasPlace: (node: string) => boolean,
    now: Instant,
  ): { readonly key: string; readonly at: Instant } | undefined {
    let first: Turn | undefined;
    for (const node of this.#among(this.#open, hasPlace)) first = sooner(first, this.#turnAt(node, now));
    return first && { key: first.waiter.key, at: first.at };
  }

  #turnAt(node: string, now: Instant): Turn | undefined {
    const held = this.#turns.get(node);
    if (held && held.at > now) return held;
    let turn: Turn | undefined;
    for (const waiter of this.#byNode.get(node)?.values() ?? []) {
      turn = sooner(turn, { waiter, at: nextRetryAt(waiter.askedAt, waiter.retrySeconds, now) });
    }
    if (turn) this.#turns.set(node, turn);
    return turn;
  }

  /** Nodes with waiters and a place; those without are not asked about again before they are reopened. */
  #among(nodes: Set<string>, hasPlace: (node: string) => boolean): readonly string[] {
    const found: string[] = [];
    for (const node of nodes) {
      if (this.#byNode.has(node) && hasPlace(node)) found.push(node);
      else nodes.delete(node);
    }
    return found;
  }
}

function sooner(one: Turn | undefined, other: Turn | undefined): Turn | undefined {
  if (!one || !other) return one ?? other;
  const isLater = other.at > one.at || (other.at === one.at && other.waiter.order > one.waiter.order);
  return isLater ? one : other;
}
