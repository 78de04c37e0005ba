import { isOutcomeUnknown } from '../../decide/api-result.ts';
import { creationObserved } from '../../decide/expectations.ts';
import type { BatchState } from '../../decide/workload-update/batch.ts';
import { NO_BATCH } from '../../decide/workload-update/batch.ts';
import type { UpdaterState } from '../../decide/workload-update/pass.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { ANSWER_SECONDS, type BatchMemory, claimOf } from '../batch-memory.ts';
import type { Clock } from '../ports.ts';

/** A claim of which less is left is of no use: an eviction may take as long. */
const RENEW_SECONDS = ANSWER_SECONDS / 2;

/**
 * What the updater remembers from pass to pass, in the process and in the cluster.
 *
 * Promise: while evictions are under way the cluster holds a claim on the whole batch, and afterwards what it came to, so that
 * whoever takes over at any moment evicts no batch too early.
 */
export class UpdaterMemory {
  state: UpdaterState = { batch: NO_BATCH };
  readonly #memory: BatchMemory;
  readonly #clock: Clock;
  #isLoaded = false;
  #claimedUntil: Instant | undefined;
  /** The cluster may hold a claim. */
  #isUnsettled = false;

  constructor(memory: BatchMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  /** Reads what the process before this one left, once. Rejects where that cannot be known. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    const batch: BatchState | undefined = await this.#memory.load();
    this.state = { ...this.state, batch: batch ?? NO_BATCH };
    this.#isLoaded = true;
  }

  creationObserved(): void {
    this.state = { ...this.state, expectation: creationObserved(this.state.expectation) };
  }

  /** Whether an eviction may be sent now: it is answered before the claim runs out. */
  get isClaimed(): boolean {
    return this.#leftSeconds() >= RENEW_SECONDS;
  }

  /** Claims a batch in the cluster, unless a claim still lasts. The problem, if it cannot be written: nothing may be evicted then. */
  async claim(): Promise<string | undefined> {
    if (this.isClaimed) return undefined;
    const now = this.#clock.now();
    const result = await this.#memory.save(claimOf(now));
    this.#isUnsettled ||= result.ok || isOutcomeUnknown(result);
    if (!result.ok) return `cannot claim an eviction batch: ${result.message}`;
    this.#claimedUntil = now + ANSWER_SECONDS * 1000;
    return undefined;
  }

  /**
   * Puts what the batch came to in the place of the claim, if there may be one. Where that fails the claim may stay, late but never
   * early; it does not count any more, since the answer alone may have been lost.
   */
  async settle(): Promise<string | undefined> {
    if (!this.#isUnsettled) return undefined;
    this.#claimedUntil = undefined;
    const result = await this.#memory.save(this.state.batch);
    if (!result.ok) return `cannot save the eviction batch: ${result.message}`;
    this.#isUnsettled = false;
    return undefined;
  }

  #leftSeconds(): number {
    return ((this.#claimedUntil ?? 0) - this.#clock.now()) / 1000;
  }
}
