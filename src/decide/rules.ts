/**
 * Decisions are tables. A table is a list of rules tried in order; the first whose question holds decides. The same
 * table gives the verdict (`decide`), its reasons, and the whole trace for `explain`, so they cannot disagree.
 */

/** `exact`: what KubeVirt v1.9.0 does, defects included. `intended`: the same without the defects that the spec lists. */
export type Behavior = 'exact' | 'intended';

/** One input that a rule looked at. `object` is `Kind namespace/name`, `path` a field path within it; an absent field has the value `undefined`. */
export interface Evidence {
  readonly object: string;
  readonly path: string;
  readonly value: unknown;
}

export interface Rule<Input, Result> {
  /** Stable CamelCase reason. */
  readonly name: string;
  /** The question in words, as it reads in a trace: "the strategy is LiveMigrate and the VMI cannot migrate". */
  readonly asks: string;
  /** Where the rule comes from, `kubevirt v1.9.0 path:line` or another project. */
  readonly source: string;
  readonly when: (input: Input) => boolean;
  readonly reads: (input: Input) => readonly Evidence[];
  readonly then: (input: Input) => Result;
}

export type Table<Input, Result> = readonly Rule<Input, Result>[];

export interface Decision<Result> {
  readonly result: Result;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

/** A rule as it was tried: whether it held, and on what. The last step of a trace is the one that decided. */
export interface TraceStep {
  readonly rule: string;
  readonly asks: string;
  readonly source: string;
  readonly held: boolean;
  readonly evidence: readonly Evidence[];
}

/**
 * The first rule of the table whose question holds.
 *
 * Promise: a table is complete, so it ends in a rule that always holds; a table that does not is a programming error and throws.
 */
export function firstRule<Input, Result>(table: Table<Input, Result>, input: Input): Rule<Input, Result> {
  // A plain loop: passes over a whole fleet come through here, and find() with a closure takes longer than most rules.
  for (const rule of table) {
    if (rule.when(input)) return rule;
  }
  throw new Error(`incomplete table: none of ${table.map((r) => r.name).join(', ')} holds`);
}

/** What the first rule that holds leads to, for those who need not say why: to collect evidence takes longer than most rules. */
export function resultOf<Input, Result>(table: Table<Input, Result>, input: Input): Result {
  return firstRule(table, input).then(input);
}

/** Decides by the first rule that holds, and says why. */
export function decide<Input, Result>(table: Table<Input, Result>, input: Input): Decision<Result> {
  const rule = firstRule(table, input);
  return { result: rule.then(input), reason: rule.name, evidence: rule.reads(input) };
}

/** Every rule tried, in order, up to and with the one that decides. */
export function traceOf<Input, Result>(table: Table<Input, Result>, input: Input): TraceStep[] {
  const decisive = table.indexOf(firstRule(table, input));
  return table.slice(0, decisive + 1).map((rule, index) => ({
    rule: rule.name,
    asks: rule.asks,
    source: rule.source,
    held: index === decisive,
    evidence: rule.reads(input),
  }));
}
