import { isJsonObject, type JsonObject } from '../../kubevirt/json.ts';

/** UIDs of a snapshot, and those that an API server has given the same objects. */
export class NewUids {
  readonly #newOf = new Map<string, string>();

  note(old: string, uid: string): void {
    this.#newOf.set(old, uid);
  }

  has(old: string): boolean {
    return this.#newOf.has(old);
  }

  /** The object with every old UID that is known replaced: of texts and of keys, since `activePods` is keyed by UID. */
  renewed<T extends JsonObject>(object: T): T {
    const entries = Object.entries(object).map(([key, value]) => [
      this.#newOf.get(key) ?? key,
      this.#renewedValue(value),
    ]);
    return Object.fromEntries(entries) as T;
  }

  #renewedValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#newOf.get(value) ?? value;
    if (Array.isArray(value)) return value.map((each) => this.#renewedValue(each));
    return isJsonObject(value) ? this.renewed(value) : value;
  }
}
