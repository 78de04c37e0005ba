import { compareText } from './order.ts';

/** The members of a list by a key of each: keys in the order in which they first come, the members of each in the order given. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) addToGroup(groups, keyOf(one), one);
  return groups;
}

/** Adds one more member to the group of a key, after those that are there. */
export function addToGroup<T, K>(groups: Map<K, T[]>, key: K, one: T): void {
  const group = groups.get(key);
  if (group) group.push(one);
  else groups.set(key, [one]);
}

/** How often each value comes, in the order in which they first come. */
export function tally<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The text that comes most often; of equals the first in the order of texts. Undefined: there is none. */
export function mostOften(values: Iterable<string>): string | undefined {
  return [...tally(values)].sort(([a, many], [b, more]) => more - many || compareText(a, b))[0]?.[0];
}
