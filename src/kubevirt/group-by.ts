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
