import { type Hold, holdAfter, isHeld, isNews, type Refusal } from '../decide/hold.ts';
import { retryDelaySeconds } from '../decide/workload-update/retry.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { Clock } from './ports.ts';

export type HeldAction = 'migrate' | 'evict' | 'abort';

/** Holds shorter than this are worth a pass when they end; for others the next usual pass is soon enough. */
const SHORT_SECONDS = 30;

/**
 * Who was refused what, and waits: each VMI by itself, longer with each refusal in a row. Lives with the process; a new one finds
 * out anew.
 */
export class Holds {
  readonly #clock: Clock;
  readonly #holds = new Map<string, Hold>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a refusal. True: somebody should be told, as it is the first or another one than before. */
  refuse(vmi: Vmi, action: HeldAction, refusal: Refusal): boolean {
    const before = this.#holds.get(keyFor(vmi, action));
    this.#holds.set(keyFor(vmi, action), holdAfter(before, refusal, this.#clock.now()));
    return isNews(before, refusal);
  }

  /** It went through: the next refusal is a first one. */
  succeed(vmi: Vmi, action: HeldAction): void {
    this.#holds.delete(keyFor(vmi, action));
  }

  isHeld(vmi: Vmi, action: HeldAction): boolean {
    return isHeld(this.#holds.get(keyFor(vmi, action)), this.#clock.now());
  }

  /** When the VMI may be tried again; undefined: now. */
  heldUntil(vmi: Vmi, action: HeldAction): Instant | undefined {
    return this.isHeld(vmi, action) ? this.#holds.get(keyFor(vmi, action))?.until : undefined;
  }

  /** Forgets a VMI that is gone. */
  forget(vmi: Vmi): void {
    for (const action of ['migrate', 'evict', 'abort'] as const) this.succeed(vmi, action);
  }

  /** Lets those be tried again who were refused for one of these reasons. What they were told stays known. True: there are such. */
  lift(reasons: ReadonlySet<string>): boolean {
    const lifted = [...this.#holds].filter(([, { reason }]) => reasons.has(reason));
    for (const [key, hold] of lifted)
      this.#holds.set(key, { ...hold, failures: 0, until: this.#clock.now() });
    return lifted.length > 0;
  }

  /**
   * Lets those be tried in so many seconds who are held longer than that for one of these reasons; should they be refused again, they
   * wait as if they had waited. True: there are such.
   */
  shorten(reasons: ReadonlySet<string>, seconds: number): boolean {
    const until = this.#clock.now() + seconds * 1000;
    const longer = [...this.#holds].filter(([, hold]) => reasons.has(hold.reason) && hold.until > until);
    for (const [key, hold] of longer) this.#holds.set(key, { ...hold, until });
    return longer.length > 0;
  }

  /** When the first of the short holds ends. */
  soonestEnd(): Instant | undefined {
    const now = this.#clock.now();
    const ends = [...this.#holds.values()]
      .filter(({ until, failures }) => until > now && retryDelaySeconds(failures) < SHORT_SECONDS)
      .map(({ until }) => until);
    return ends.length > 0 ? Math.min(...ends) : undefined;
  }

  /** How many VMIs are held now, by reason; reasons of the past with none. */
  counts(): ReadonlyMap<string, number> {
    const now = this.#clock.now();
    const counts = new Map<string, number>();
    for (const hold of this.#holds.values()) {
      counts.set(hold.reason, (counts.get(hold.reason) ?? 0) + Number(isHeld(hold, now)));
    }
    return counts;
  }
}

function keyFor(vmi: Vmi, action: HeldAction): string {
  return `${action} ${vmi.metadata.uid ?? keyOf(vmi)}`;
}
