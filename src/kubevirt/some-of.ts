const MOST_NAMED = 8;

/** Names for an error to choose from: `n1, n2`, of more than eight the first ones and how many more; in the order given, `''` of none. */
export function someOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}
