import { isJsonObject } from '../kubevirt/json.ts';

/** One place where Drover and the real code disagree. */
export interface Difference {
  readonly path: string;
  readonly real: unknown;
  readonly ours: unknown;
}

/**
 * Compares two JSON values and names every place where they differ, by path, in key order.
 *
 * Promise: a key that only one side has is a difference, except that an absent key equals `undefined`.
 */
export function differences(real: unknown, ours: unknown, path = ''): Difference[] {
  if (Array.isArray(real) && Array.isArray(ours)) return arrayDifferences(real, ours, path);
  if (isJsonObject(real) && isJsonObject(ours)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])].sort();
    return keys.flatMap((key) => differences(real[key], ours[key], path === '' ? key : `${path}.${key}`));
  }
  return Object.is(real, ours) ? [] : [{ path, real, ours }];
}

function arrayDifferences(real: readonly unknown[], ours: readonly unknown[], path: string): Difference[] {
  const length = Math.max(real.length, ours.length);
  return Array.from({ length }, (_, i) => differences(real[i], ours[i], `${path}[${i}]`)).flat();
}
