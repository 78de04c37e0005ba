import type { Evidence } from '../decide/rules.ts';
import { formatInstant, type Instant } from '../kubevirt/time.ts';
import type { Clock } from './ports.ts';

/** One decision with its reason, or what came of a deed that followed from one. */
export interface JournalEntry {
  readonly at: Instant;
  readonly controller: string;
  /** What it is about, `Kind namespace/name`. */
  readonly object: string;
  /** What was decided: `gate`, `category`, `migrate`, `evict`, `abort`, `evacuate`. */
  readonly decision: string;
  /** Stable CamelCase. */
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  /** What else there is to say: the name of a migration, the text of a refusal. */
  readonly message?: string | undefined;
}

/** Where entries go; one JSON line each is usual. */
export type JournalSink = (entry: JournalEntry) => void;

/** An entry as one line of JSON, with its time in words and what was absent as `null`. */
export function journalLine({ at, ...entry }: JournalEntry): string {
  return JSON.stringify({ at: formatInstant(at), ...entry }, (_key, value) => value ?? null);
}

type Told = Omit<JournalEntry, 'at' | 'controller'>;

/**
 * The decisions of one controller.
 *
 * Promise: a deed is told each time; what stands (a closed gate, the category of a VMI) only when its reason is another one than
 * before, and its evidence is worked out only then.
 */
export class Journal {
  readonly #controller: string;
  readonly #clock: Clock;
  readonly #sink: JournalSink | undefined;
  readonly #standing = new Map<string, string>();

  /** Without a sink nothing is told and nothing costs. */
  constructor(controller: string, clock: Clock, sink: JournalSink | undefined) {
    this.#controller = controller;
    this.#clock = clock;
    this.#sink = sink;
  }

  get isOn(): boolean {
    return this.#sink !== undefined;
  }

  tell(told: Told): void {
    this.#sink?.({ at: this.#clock.now(), controller: this.#controller, ...told });
  }

  tellStanding(object: string, decision: string, reason: string, evidence: () => readonly Evidence[]): void {
    const key = `${decision} ${object}`;
    if (!this.#sink || this.#standing.get(key) === reason) return;
    this.#standing.set(key, reason);
    this.tell({ object, decision, reason, evidence: evidence() });
  }

  /** Nothing stands about an object that is gone. */
  forget(object: string, decision: string): void {
    this.#standing.delete(`${decision} ${object}`);
  }
}
