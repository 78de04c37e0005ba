import { type Decision, decide, type Evidence, type Table, traceOf } from '../decide/rules.ts';
import type { Stage } from './forecast.ts';

/**
 * Asks decisions one after another for one VM and remembers what they said: the evidence of every rule that decided
 * and, when asked to `explain`, the whole trace of each. One way for plan and explain, so that they cannot disagree.
 */
export class Trail {
  readonly #explain: boolean;
  readonly #evidence: Evidence[] = [];
  readonly #stages: Stage[] = [];
  readonly #asked = new Set<string>();

  constructor(explain: boolean) {
    this.#explain = explain;
  }

  /** Asks a table. `says` puts the answer in words for the trace. */
  ask<Input, Result>(
    decision: string,
    table: Table<Input, Result>,
    input: Input,
    says: (decided: Decision<Result>) => string,
  ): Decision<Result> {
    const decided = decide(table, input);
    this.#asked.add(decision);
    this.#evidence.push(...decided.evidence);
    if (this.#explain) {
      const trace = traceOf(table, input);
      this.#stages.push({ decision, reason: decided.reason, says: says(decided), trace });
    }
    return decided;
  }

  /** Notes a stage that no table decided, with what it rests on. */
  note(decision: string, reason: string, says: string, evidence: readonly Evidence[] = []): void {
    this.#evidence.push(...evidence);
    if (!this.#explain) return;
    const step = { rule: reason, asks: says, source: 'the objects themselves', held: true, evidence };
    this.#stages.push({ decision, reason, says, trace: evidence.length > 0 ? [step] : [] });
  }

  /** Whether this decision was asked on the way. */
  asked(decision: string): boolean {
    return this.#asked.has(decision);
  }

  /** Everything that decided so far, each input once, in the order in which it was read. */
  get evidence(): Evidence[] {
    const seen = new Set<string>();
    return this.#evidence.filter(({ object, path }) => {
      const key = `${object}\n${path}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }

  get stages(): readonly Stage[] {
    return this.#stages;
  }
}
