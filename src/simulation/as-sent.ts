import { isJsonObject, type JsonObject } from '../kubevirt/json.ts';

/**
 * An object as it comes out of the wire: without what is `undefined`.
 *
 * Promise: the argument is not changed. The parts of it that lack nothing are in the result themselves, so that thousands of objects
 * made of the same parts share them: nobody may change them afterwards.
 */
export function asSent(object: object): JsonObject {
  return partAsSent(object) as JsonObject;
}

function partAsSent(part: unknown): unknown {
  if (Array.isArray(part)) return listAsSent(part);
  return isJsonObject(part) ? objectAsSent(part) : part;
}

function objectAsSent(object: JsonObject): JsonObject {
  let sent: Record<string, unknown> | undefined;
  for (const key in object) {
    const held = object[key];
    const part = partAsSent(held);
    if (part === held && part !== undefined) continue;
    sent ??= { ...object };
    if (part === undefined) delete sent[key];
    else sent[key] = part;
  }
  return sent ?? object;
}

function listAsSent(list: readonly unknown[]): readonly unknown[] {
  const sent = list.map(partAsSent);
  return sent.every((part, index) => part === list[index]) ? list : sent;
}
