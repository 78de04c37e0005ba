import { extended } from './shapes.ts';

/** A JSON object that Drover passes on without knowing its fields, so that none is lost. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

/** The object under a key; an empty one where there is none. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

/** The objects of the list under a key; empty where there is none. What is no object is left out. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are the same, whatever the order of keys; an absent key equals `undefined`. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  return isJsonObject(a) && isJsonObject(b) && isSameObject(a, b);
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((element, index) => isSameJson(element, b[index]));
}

/** Loops, since every write passes through here. */
function isSameObject(a: JsonObject, b: JsonObject): boolean {
  for (const key in a) if (a[key] !== b[key] && !isSameJson(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

/** The keys under which two objects hold other values, by reference; absent is `undefined`. */
export function differingKeys(a: object = {}, b: object = {}): readonly string[] {
  if (a === b) return [];
  const keys: string[] = [];
  for (const key in a) if (a[key as never] !== b[key as never]) keys.push(key);
  for (const key in b) if (b[key as never] !== undefined && a[key as never] === undefined) keys.push(key);
  return keys;
}

/** Whether two objects hold the same values, by reference, under all keys but these; absent is `undefined`. */
export function isSameBut(except: ReadonlySet<string>, a: object = {}, b: object = {}): boolean {
  return a === b || (isPartOf(except, a, b) && isPartOf(except, b, a));
}

function isPartOf(except: ReadonlySet<string>, one: object, other: object): boolean {
  for (const key in one) if (one[key as never] !== other[key as never] && !except.has(key)) return false;
  return true;
}

/**
 * The object with other values under some keys: what becomes `undefined` is gone.
 *
 * Promise: the same object where every value is there already.
 */
export function withChanges<T extends object>(held: T, change: Partial<T>): T {
  let next: T | undefined;
  // Passes over whole fleets come through here, and most of them find nothing to change.
  for (const key in change) {
    const value = change[key];
    if (isSameJson(held[key], value)) continue;
    // Not a spread, since keys are added to it.
    next ??= extended(held, {});
    if (value === undefined) delete next[key];
    else next[key] = value as T[typeof key];
  }
  return next ?? held;
}
