interface Level {
  readonly value: number;
  readonly keys: Set<string>;
}

/**
 * Keys by what they are worth: the one of the highest value comes first, of equal ones the one that has been worth that for longest.
 *
 * Promise: a key is there once; added again with a higher value it is worth that, otherwise it stays where it is. Made for few
 * different values.
 */
export class ReadyKeys {
  /** The highest first. */
  readonly #levels: Level[] = [];

  get size(): number {
    return this.#levels.reduce((sum, { keys }) => sum + keys.size, 0);
  }

  add(key: string, value: number): void {
    const held = this.#levels.find(({ keys }) => keys.has(key));
    if (held && held.value >= value) return;
    held?.keys.delete(key);
    this.#level(value).keys.add(key);
  }

  /** The first one, which is not there any more; undefined where there is none. */
  take(): string | undefined {
    for (const { keys } of this.#levels) {
      for (const key of keys) {
        keys.delete(key);
        return key;
      }
    }
    return undefined;
  }

  clear(): void {
    this.#levels.length = 0;
  }

  #level(value: number): Level {
    const at = this.#levels.findIndex((level) => level.value <= value);
    const level = this.#levels[at];
    if (level?.value === value) return level;
    const made = { value, keys: new Set<string>() };
    this.#levels.splice(at < 0 ? this.#levels.length : at, 0, made);
    return made;
  }
}
