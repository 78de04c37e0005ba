import { nextRetryAt } from '../../../decide/migration/queue.ts';
import type { Instant } from '../../../kubevirt/time.ts';
import { Heap } from '../../heap.ts';

interface Waiter {
  readonly key: string;
  readonly node: string;
  readonly retrySeconds: number;
  readonly askedAt: Instant;
  /** Greater for who came later. */
  readonly order: number;
}

/** Who of those that leave a node asks next, and when. */
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
 * Promise: a question costs what the nodes cost that may have a place and of which something has changed: somebody has come or gone, its
 * turn is over, or it was named to `reopen`. Those waiters are looked through; of the other nodes it is known who is next.
 */
export class CapWaiters {
  readonly #byNode = new Map<string, Map<string, Waiter>>();
  readonly #waiters = new Map<string, Waiter>();
  /** Nodes that may have a place, and whose waiters have not been called since. */
  readonly #uncalled = new Set<string>();
  /** Nodes that may have a place, and of which it is not known whose turn is next. */
  readonly #unknown = new Set<string>();
  /** Whose turn it is next at each other node that may have a place. */
  readonly #turns = new Map<string, Turn>();
  /** These, and turns that are none any more. */
  readonly #byTime = new Heap<Turn>(isSooner);
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
    this.#forgetTurn(node);
  }

  leave(key: string): void {
    const waiter = this.#waiters.get(key);
    if (!waiter) return;
    this.#waiters.delete(key);
    this.#forgetTurn(waiter.node);
    const waiters = this.#byNode.get(waiter.node);
    waiters?.delete(key);
    if (waiters?.size === 0) this.#byNode.delete(waiter.node);
  }

  /** These nodes may have a place again. */
  reopen(nodes: Iterable<string>): void {
    for (const node of nodes) {
      this.#uncalled.add(node);
      if (!this.#turns.has(node)) this.#unknown.add(node);
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
    const called = [...this.#uncalled]
      .filter((node) => this.#byNode.has(node) && hasPlace(node))
      .flatMap((node) => [...(this.#byNode.get(node)?.keys() ?? [])].filter((key) => first.isFirst(key)));
    this.#uncalled.clear();
    return [...late, ...called];
  }

  /** Who asks first after `now` of those that leave a node with a place, and when; at equal times who has waited longest. */
  soonest(
    hasPlace: (node: string) => boolean,
    now: Instant,
  ): { readonly key: string; readonly at: Instant } | undefined {
    for (const node of this.#unknown) if (hasPlace(node)) this.#plan(node, now);
    this.#unknown.clear();
    for (let first = this.#byTime.first(); first; first = this.#byTime.first()) {
      const { at, waiter } = first;
      const isKnown = this.#turns.get(waiter.node) === first;
      if (isKnown && at > now && hasPlace(waiter.node)) return { key: waiter.key, at };
      this.#byTime.dropFirst();
      if (!isKnown) continue;
      this.#turns.delete(waiter.node);
      if (hasPlace(waiter.node)) this.#plan(waiter.node, now);
    }
    return undefined;
  }

  #plan(node: string, now: Instant): void {
    let turn: Turn | undefined;
    for (const waiter of this.#byNode.get(node)?.values() ?? []) {
      const own = { waiter, at: nextRetryAt(waiter.askedAt, waiter.retrySeconds, now) };
      if (!turn || isSooner(own, turn)) turn = own;
    }
    if (!turn) return;
    this.#turns.set(node, turn);
    this.#byTime.add(turn);
  }

  #forgetTurn(node: string): void {
    if (this.#turns.delete(node)) this.#unknown.add(node);
  }
}

function isSooner(one: Turn, other: Turn): boolean {
  return one.at < other.at || (one.at === other.at && one.waiter.order < other.waiter.order);
}
