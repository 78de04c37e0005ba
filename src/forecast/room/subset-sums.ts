/** More sums than this are not followed. */
const MOST_SUMS = 2000;

/**
 * Whether some of these sizes add up to more than `above` and no more than `atMost`; also true where there are too many sums to tell.
 * Sizes are whole and above 0.
 */
export function canAddUp(sizes: readonly number[], above: number, atMost: number): boolean {
  const sums = new Set([0]);
  if (isBetween(0)) return true;
  for (const size of sizes) {
    for (const sum of [...sums]) {
      if (isBetween(sum + size)) return true;
      if (sum + size <= atMost) sums.add(sum + size);
    }
    if (sums.size > MOST_SUMS) return true;
  }
  return false;

  function isBetween(sum: number): boolean {
    return sum > above && sum <= atMost;
  }
}
