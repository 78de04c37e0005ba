const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** A number from 0 to below 1 that belongs to a text: the same each time, and far from that of a text that is much like it. FNV-1a. */
export function chanceOf(text: string): number {
  let hash = OFFSET;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), PRIME);
  // The last letters have reached the low bits alone.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
