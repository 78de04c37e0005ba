/** A number of 64 bits that belongs to a text: the same each time, another for a text that differs (FNV-1a). Not against those who want it to be the same. */
export function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash;
}
