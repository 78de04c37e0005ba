import type { Instant } from '../../../kubevirt/time.ts';

/** When each key is due; the earlier of two times counts. */
export class DueTimes {
  readonly #dueAt = new Map<string, Instant>();

  set(key: string, at: Instant): void {
    this.#dueAt.set(key, Math.min(at, this.#dueAt.get(key) ?? at));
  }

  /** Whether the key is due, to within a millisecond; then it is taken. Otherwise in how many seconds; never: undefined. */
  take(key: string, now: Instant): 'due' | number | undefined {
    const at = this.#dueAt.get(key);
    if (at === undefined) return undefined;
    if (at - now >= 1) return (at - now) / 1000;
    this.#dueAt.delete(key);
    return 'due';
  }
}
