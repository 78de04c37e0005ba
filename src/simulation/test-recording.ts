import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isJsonObject, type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';

/** The files of a recording of the real KubeVirt, as far as tests of actors read them. */
const directoryOf = (name: string): string =>
  new URL(`../../testdata/histories/${name}`, import.meta.url).pathname;

/** The objects that were applied, as they were sent. */
export function appliedIn(name: string): readonly JsonObject[] {
  const scenario: JsonObject = JSON.parse(readFileSync(`${directoryOf(name)}/scenario.json`, 'utf8'));
  return objectsAt(scenario, 'timeline').flatMap((step) => objectsAt(step, 'objects'));
}

/** An object as it stood before the first decisive action, without nulls. */
export function recordedBefore(name: string, kind: string, objectName: string | RegExp): JsonObject {
  const text = gunzipSync(readFileSync(`${directoryOf(name)}/before.json.gz`)).toString();
  const list: JsonObject = JSON.parse(text, (_, value) => value ?? undefined);
  const matches = (object: JsonObject): boolean => {
    const own = String(objectAt(object, 'metadata').name);
    return object.kind === kind && (objectName instanceof RegExp ? objectName.test(own) : own === objectName);
  };
  const found = objectsAt(list, 'items').find(matches);
  if (!found) throw new Error(`${name} has no ${kind} ${objectName}`);
  return found;
}

/** The value at a path of keys; undefined where something on the way is missing. */
export function valueAt(object: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), object);
}
