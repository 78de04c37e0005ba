import type { Rule } from './rules.ts';

/**
 * A rule about a narrower input as a rule of a wider table.
 *
 * Promise: `narrow` is called for every question; it may throw, where the rules before it in the table see to it that
 * this one is never asked.
 */
export function narrowed<Wide, Narrow, Result>(
  rule: Rule<Narrow, Result>,
  narrow: (input: Wide) => Narrow,
): Rule<Wide, Result> {
  return {
    ...rule,
    when: (input) => rule.when(narrow(input)),
    reads: (input) => rule.reads(narrow(input)),
    then: (input) => rule.then(narrow(input)),
  };
}
