import type { ObjectMeta } from './objects.ts';
import { keyOf } from './predicates.ts';
import { parseInstant } from './time.ts';

interface Dated {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'creationTimestamp'>;
}

/** Compares by code units, the same on every machine and locale; for `sort`. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** By name, for objects of one namespace or of none. */
export function byName(a: Dated, b: Dated): number {
  return compareText(a.metadata.name, b.metadata.name);
}

/** By `namespace/name`. */
export function byKey(a: Dated, b: Dated): number {
  const [one, other] = [a.metadata, b.metadata];
  // Within a namespace the names say it, and no key need be made.
  return one.namespace === other.namespace ? byName(a, b) : compareText(keyOf(a), keyOf(b));
}

/** By creation, oldest first; without a creation time first of all, equals by name: arbitrary, for determinism. */
export function oldestFirst(a: Dated, b: Dated): number {
  return createdAt(a) - createdAt(b) || byName(a, b);
}

/** By creation, newest first; equals as in `oldestFirst`, by name. */
export function newestFirst(a: Dated, b: Dated): number {
  return createdAt(b) - createdAt(a) || byName(a, b);
}

function createdAt(object: Dated): number {
  return parseInstant(object.metadata.creationTimestamp) ?? 0;
}
