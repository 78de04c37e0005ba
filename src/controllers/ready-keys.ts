interface Level {
  readonly value: number;
  readonly keys: Set<string>;
  /** Goes on where the last key was taken: from the start of a set each search would pass all that were deleted since it last shrank. */
  next: Iterator<string>;
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
    const level = this.#levels.find(({ keys }) => keys.size > 0);
    const key = level && firstOf(level);
    if (key !== undefined) level?.keys.delete(key);
    return key;
  }

  clear(): void {
    this.#levels.length = 0;
  }

  #level(value: number): Level {
    const at = this.#levels.findIndex((level) => level.value <= value);
    const level = this.#levels[at];
    if (level?.value === value) return level;
    const keys = new Set<string>();
    const made = { value, keys, next: keys.values() };
    this.#levels.splice(at < 0 ? this.#levels.length : at, 0, made);
    return made;
  }
}

/** An iterator that has been at the end hears of no later key. */
function firstOf(level: Level): string | undefined {
  const { value, done } = level.next.next();
  if (!done) return value;
  level.next = level.keys.values();
  return level.next.next().value;
}
