import { hashOf } from '../../kubevirt/text-hash.ts';
import { seededRandom } from '../seeded-random.ts';

/** A number from 0 to below 1 that belongs to a text: the same each time, and far from that of a text that is much like it. */
export function chanceOf(text: string): number {
  return seededRandom(Number(BigInt.asIntN(32, hashOf(text)))).next();
}
