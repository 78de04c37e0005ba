import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

setFlagsFromString('--allow-natives-syntax');

/** Whether V8 takes two objects for the same kind of thing, so that code which has learnt one is fast with the other. */
export const haveSameClass = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (
  a: object,
  b: object,
) => boolean;

/** Whether V8 can still learn a key that objects begin with. Each key can be asked for once. */
export function learns(key: string): boolean {
  const one: Record<string, number> = {};
  const other: Record<string, number> = {};
  one[key] = 1;
  other[key] = 2;
  return haveSameClass(one, other);
}
