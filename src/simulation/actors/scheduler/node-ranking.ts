import type { Random } from '../../../controllers/ports.ts';
import { BEST_SCORE } from '../../../decide/binding/score.ts';

/** Nodes by a whole score from 0 to 100, kept at O(1) a change. */
export class NodeRanking {
  readonly #buckets: string[][] = Array.from({ length: BEST_SCORE + 1 }, () => []);
  readonly #places = new Map<string, { readonly score: number; readonly index: number }>();

  set(node: string, score: number): void {
    if (this.#places.get(node)?.score === score) return;
    this.delete(node);
    const bucket = this.#bucketOf(score);
    this.#places.set(node, { score, index: bucket.length });
    bucket.push(node);
  }

  delete(node: string): void {
    const place = this.#places.get(node);
    if (!place) return;
    this.#places.delete(node);
    const bucket = this.#bucketOf(place.score);
    const last = bucket.pop();
    if (last === undefined || last === node) return;
    bucket[place.index] = last;
    this.#places.set(last, place);
  }

  /** The best node of which the answer is yes; among equals, where to begin is left to chance. */
  find(fits: (node: string) => boolean, random: Random): string | undefined {
    for (let score = BEST_SCORE; score >= 0; score--) {
      const bucket = this.#bucketOf(score);
      const found = findAround(bucket, bucket.length > 1 ? random.next() : 0, fits);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #bucketOf(score: number): string[] {
    const bucket = this.#buckets[score];
    if (!bucket) throw new RangeError(`no score ${score}`);
    return bucket;
  }
}

function findAround(
  bucket: readonly string[],
  chance: number,
  fits: (node: string) => boolean,
): string | undefined {
  const start = Math.floor(chance * bucket.length);
  for (let step = 0; step < bucket.length; step++) {
    const node = bucket[(start + step) % bucket.length];
    if (node !== undefined && fits(node)) return node;
  }
  return undefined;
}
