/**
 * A constructor of plain objects that V8 keeps apart from all others.
 *
 * It learns from the first few how much room one needs, which for small objects is less than `{}` reserves: a tenth of the memory
 * of a fleet. And it remembers which keys objects begin with, 1,536 of them for everything that begins as `{}`. Keys that are data
 * use those up; from then on each object in the process that is made by a spread or key by key has a class of its own, which costs
 * more time than all that is done with it. So what is keyed by data is made here.
 */
export function plainShape(): new () => Record<string, unknown> {
  function Shape() {}
  Shape.prototype = Object.prototype;
  return Shape as unknown as new () => Record<string, unknown>;
}

const Keyed = plainShape();

/** `Object.fromEntries` for keys that are data, such as UIDs. Of equal keys the last counts; order as given. */
export function recordOf<T>(entries: Iterable<readonly [key: string, value: T]>): Record<string, T> {
  const record = new Keyed() as Record<string, T>;
  for (const [key, value] of entries) record[key] = value;
  return record;
}

/**
 * `{ ...object, ...more }` for a key that is new, where a cluster has thousands of the result.
 *
 * V8 of Node 20 gives every object that begins with a spread and then gets another key a hidden class for itself alone: a
 * microsecond to make, and each read of it by other code misses. A spread that is not at the beginning of the literal does no harm; one
 * that only replaces keys does where objects of more than four classes come by: each key takes the slow way then, a microsecond or two.
 */
export function extended<A extends object, B extends object>(object: A, more: B): A & B {
  return Object.assign({}, object, more);
}
