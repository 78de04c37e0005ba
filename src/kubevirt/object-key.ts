/** How many keys are remembered at most; beyond, all are forgotten and it starts anew, so that it never leaks. */
const MOST_KEYS = 500_000;

const remembered = new Map<string, Map<string, string>>();
let count = 0;

/**
 * `namespace/name`: for the same two the same string, not only an equal one.
 *
 * By keys everything is looked up, and a new string is read letter by letter at each look-up. One that comes again is found by its
 * address.
 */
export function namespacedKey(namespace: string, name: string): string {
  const names = remembered.get(namespace) ?? namesOf(namespace);
  const held = names.get(name);
  if (held !== undefined) return held;
  if (count >= MOST_KEYS) forgetAll();
  const key = `${namespace}/${name}`;
  names.set(name, key);
  count++;
  return key;
}

function namesOf(namespace: string): Map<string, string> {
  const names = new Map<string, string>();
  remembered.set(namespace, names);
  return names;
}

/** Each namespace keeps its map, empty: one of them is about to be written to. */
function forgetAll(): void {
  for (const names of remembered.values()) names.clear();
  count = 0;
}

/** The name in `namespace/name`, or in a key that is a name alone. */
export function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** The namespace in `namespace/name`; empty where the key is a name alone. */
export function namespaceIn(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}
