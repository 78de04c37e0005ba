/** A pending migration in the line of those that are worth the same. */
interface Place {
  readonly key: string;
  readonly worth: number;
  /** Greater for who came later. */
  readonly order: number;
  before: Place | undefined;
  after: Place | undefined;
}

/** Those that are worth the same, in the order of their coming. */
interface Line {
  readonly worth: number;
  first: Place | undefined;
  last: Place | undefined;
  /** Those up to this one are among the first; undefined: none is. */
  lastOfFirst: Place | undefined;
}

/**
 * Pending migrations by what they are worth, the highest first, of equal ones those that have been pending longest; and which of them
 * are among the first so many, the only ones that are woken when another migration is over.
 *
 * Promise: a change costs the same however many there are. Made for few different worths.
 */
export class PendingMigrations {
  /** The highest worth first. */
  readonly #lines: Line[] = [];
  readonly #places = new Map<string, Place>();
  readonly #first = new Set<string>();
  /** Those that have come to be among the first since `takeNewFirst`. */
  readonly #newFirst = new Set<string>();
  #most = 0;
  #entered = 0;

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** The migration is pending, and worth this. False: one that was worth the same keeps its place. */
  enter(key: string, worth: number): boolean {
    if (this.#places.get(key)?.worth === worth) return false;
    this.leave(key);
    const line = this.#lineOf(worth);
    const place: Place = { key, worth, order: this.#entered++, before: line.last, after: undefined };
    if (line.last) line.last.after = place;
    else line.first = place;
    line.last = place;
    this.#places.set(key, place);
    this.#fill();
    return true;
  }

  leave(key: string): void {
    const place = this.#places.get(key);
    if (!place) return;
    const line = this.#lineOf(place.worth);
    if (line.lastOfFirst === place) line.lastOfFirst = place.before;
    if (place.before) place.before.after = place.after;
    else line.first = place.after;
    if (place.after) place.after.before = place.before;
    else line.last = place.before;
    this.#places.delete(key);
    this.#drop(key);
    this.#fill();
  }

  /** So many are the first from now on. */
  countAsFirst(most: number): void {
    if (most === this.#most) return;
    this.#most = most;
    this.#fill();
  }

  isFirst(key: string): boolean {
    return this.#first.has(key);
  }

  /** Who has come to be among the first since this was last asked, and still is. */
  takeNewFirst(): readonly string[] {
    const taken = [...this.#newFirst];
    this.#newFirst.clear();
    return taken;
  }

  /** Those of the keys that are among the first, in order; each once. */
  firstAmong(keys: Iterable<string>): readonly string[] {
    const found = new Set<Place>();
    for (const key of keys) {
      const place = this.#first.has(key) ? this.#places.get(key) : undefined;
      if (place) found.add(place);
    }
    return [...found].sort((a, b) => b.worth - a.worth || a.order - b.order).map(({ key }) => key);
  }

  /** As many as are to be the first are, and nobody before whom another one comes. */
  #fill(): void {
    while (this.#first.size > this.#most) this.#retreat();
    while (this.#first.size < this.#most && this.#advance());
    while (this.#isOvertaken()) {
      this.#retreat();
      this.#advance();
    }
  }

  /** The next one is among the first; false: there is none. */
  #advance(): boolean {
    const line = this.#lines.find(hasMore);
    const next = line?.lastOfFirst ? line.lastOfFirst.after : line?.first;
    if (!line || !next) return false;
    line.lastOfFirst = next;
    this.#first.add(next.key);
    this.#newFirst.add(next.key);
    return true;
  }

  /** The last of the first is not among them any more. */
  #retreat(): void {
    const line = this.#lines.findLast(({ lastOfFirst }) => lastOfFirst !== undefined);
    if (!line?.lastOfFirst) return;
    this.#drop(line.lastOfFirst.key);
    line.lastOfFirst = line.lastOfFirst.before;
  }

  /** Whether one comes before the last of the first, and is not among them. */
  #isOvertaken(): boolean {
    const next = this.#lines.findIndex(hasMore);
    const last = this.#lines.findLastIndex(({ lastOfFirst }) => lastOfFirst !== undefined);
    return next >= 0 && next < last;
  }

  #drop(key: string): void {
    this.#first.delete(key);
    this.#newFirst.delete(key);
  }

  #lineOf(worth: number): Line {
    const at = this.#lines.findIndex((line) => line.worth <= worth);
    const line = this.#lines[at];
    if (line?.worth === worth) return line;
    const made: Line = { worth, first: undefined, last: undefined, lastOfFirst: undefined };
    this.#lines.splice(at < 0 ? this.#lines.length : at, 0, made);
    return made;
  }
}

function hasMore({ last, lastOfFirst }: Line): boolean {
  return last !== lastOfFirst;
}
