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

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
