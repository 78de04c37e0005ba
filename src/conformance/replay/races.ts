/** What KubeVirt decides within milliseconds, and not always the same way. A replay lets it go the usual way, unless it is turned. */
export interface Race {
  /** The same in every replay of a recording, as far as the replays have come the same way. */
  readonly name: string;
  /** The second at which it came up. */
  readonly at: number;
  /** `Kind/name` of the object whose course shows how it went. */
  readonly shownBy: string;
}

/** The object that shows what the workload updater does. */
export const KUBEVIRT = 'KubeVirt/kubevirt';

/** The races of one replay. */
export class Races {
  readonly #turned: ReadonlySet<string>;
  readonly #met = new Map<string, Race>();

  /** The names of the races that are to go the unusual way. */
  constructor(turned: Iterable<string> = []) {
    this.#turned = new Set(turned);
  }

  /** All races that have come up, in order. */
  get met(): readonly Race[] {
    return [...this.#met.values()];
  }

  /** The names of those that went the unusual way. */
  get turned(): readonly string[] {
    return [...this.#met.keys()].filter((name) => this.#turned.has(name));
  }

  /** Whether a race goes the unusual way. Asked again, it gives the same answer. */
  isTurned(race: Race): boolean {
    if (!this.#met.has(race.name)) this.#met.set(race.name, race);
    return this.#turned.has(race.name);
  }
}

/** A replay with some of its races turned. */
export interface Attempt {
  readonly races: Races;
  /** `Kind/name` of the objects that differ from the recording. */
  readonly differing: readonly string[];
  /** Between which seconds the course of the KubeVirt CR, which shows most races, leaves the recorded one; `Infinity` where it does not. */
  readonly partsAt: readonly [earliest: number, latest: number];
}

/** So many attempts are made at most. */
const MOST_ATTEMPTS = 150;
/** What a race does is to be seen within so many seconds. */
const REACH_SECONDS = 6;
/** Times may be a little apart in two courses. */
const APART_SECONDS = 1;

/**
 * Looks for outcomes of the races under which a replay goes the recorded way. Of the races around the time at which the courses part, it
 * turns the one that brings the replay nearest, or two of them where one alone does nothing, until nothing does.
 *
 * Promise: the best attempt that it made; the first, in which none is turned, where nothing is better. The same replays give
 * the same result.
 */
export async function nearest<A extends Attempt>(play: (races: Races) => Promise<A>): Promise<A> {
  let best = await play(new Races());
  let left = MOST_ATTEMPTS;
  const bestOf = async (turns: readonly (readonly string[])[]): Promise<A | undefined> => {
    let found: A | undefined;
    for (const turn of turns.slice(0, left)) {
      const attempt = await play(new Races(toggled(best.races.turned, turn)));
      if (isNearer(attempt, found ?? best)) found = attempt;
    }
    left -= turns.length;
    return found;
  };
  while (left > 0 && best.differing.length > 0) {
    const names = racesAround(best);
    const nearer = (await bestOf(names.map((name) => [name]))) ?? (await bestOf(pairsOf(names)));
    if (!nearer) break;
    best = nearer;
  }
  return best;
}

/** Those that may have decided how the courses part, the latest first. */
function racesAround({ races, differing, partsAt: [earliest, latest] }: Attempt): string[] {
  const isAround = ({ at }: Race) => at >= earliest - REACH_SECONDS && at <= latest + APART_SECONDS;
  const around = races.met.filter(
    (race) => differing.includes(race.shownBy) && (race.shownBy !== KUBEVIRT || isAround(race)),
  );
  return around.map(({ name }) => name).reverse();
}

function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((one, index) =>
    names.slice(index + 1).map((other): readonly [string, string] => [one, other]),
  );
}

function toggled(names: readonly string[], turn: readonly string[]): readonly string[] {
  return [...names.filter((name) => !turn.includes(name)), ...turn.filter((name) => !names.includes(name))];
}

/** What other objects show comes first: a count may go the recorded way by a detour. */
function isNearer(attempt: Attempt, best: Attempt): boolean {
  const [here, there] = [othersIn(attempt), othersIn(best)];
  return here === there ? attempt.partsAt[0] > best.partsAt[0] : here < there;
}

function othersIn({ differing }: Attempt): number {
  return differing.filter((object) => object !== KUBEVIRT).length;
}
