import { isJsonObject } from './json.ts';

/** An object changed by a merge patch (RFC 7386): `null` takes a field away, lists are replaced whole. The object is not changed. */
export function mergePatched<T extends object>(object: T, patch: object): T {
  return merged(object, patch) as T;
}

function merged(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
