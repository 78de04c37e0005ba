import type { Amounts } from '../../../decide/placement/resources.ts';

const NOTHING: Amounts = new Map();

/** What the pods of each quota use together, kept from one change to the next. */
export class QuotaLedger {
  readonly #uses = new Map<string, Map<string, Amounts>>();
  readonly #totals = new Map<string, Map<string, number>>();

  totalOf(quota: string): Amounts {
    return this.#totals.get(quota) ?? NOTHING;
  }

  forget(quota: string): void {
    this.#uses.delete(quota);
    this.#totals.delete(quota);
  }

  /** Sets what a pod uses; says whether that has changed the total. */
  set(quota: string, pod: string, use: Amounts): boolean {
    const uses = this.#uses.get(quota) ?? new Map<string, Amounts>();
    const before = uses.get(pod) ?? NOTHING;
    this.#uses.set(quota, uses);
    if (use.size > 0) uses.set(pod, use);
    else uses.delete(pod);
    return this.#add(quota, before, use);
  }

  #add(quota: string, before: Amounts, after: Amounts): boolean {
    const total = this.#totals.get(quota) ?? new Map<string, number>();
    this.#totals.set(quota, total);
    let hasChanged = false;
    for (const resource of new Set([...before.keys(), ...after.keys()])) {
      const change = (after.get(resource) ?? 0) - (before.get(resource) ?? 0);
      if (change !== 0) hasChanged = true;
      total.set(resource, (total.get(resource) ?? 0) + change);
    }
    return hasChanged;
  }
}
