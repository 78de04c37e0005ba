/** `1 pod`, `3 pods`; `many` where an s is not enough. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The first three of some names, and how many more there are: `a, b, c and 2 more`. */
export function firstOf(names: readonly string[]): string {
  const named = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${named} and ${names.length - 3} more` : named;
}

/** `shown` of some names and how many more there are, as `firstOf`, but never `and 1 more`: the name is no longer than that. */
export function someOf(names: readonly string[], shown = 3): string {
  if (names.length <= shown + 1) return names.join(', ');
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}
