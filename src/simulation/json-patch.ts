import type { JsonPatchOperation } from '../controllers/ports.ts';
import { isSameJson, type JsonObject } from '../kubevirt/json.ts';

/** An operation that cannot be carried out, or a test that does not hold. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

type Container = JsonObject | readonly unknown[];

/**
 * Carries out an RFC 6902 patch.
 *
 * Promise: as the API server's library does it, which adds what is to be replaced in an object and is not there. All of it or
 * nothing: the given object is not changed, and the new one shares with it what the patch leaves
 * alone. A test of something absent holds for `null` and no value. Throws a `PatchError` where an operation does not apply.
 */
export function applyJsonPatch(object: JsonObject, operations: readonly JsonPatchOperation[]): JsonObject {
  return operations.reduce((patched, operation) => {
    const path = partsOf(operation.path);
    if (path.length === 0) throw new PatchError(`${operation.op} of the whole object`);
    return patchedAt(patched, path, operation) as JsonObject;
  }, object);
}

/** RFC 6901: `~1` stands for a slash, `~0` for a tilde. */
function partsOf(path: string): readonly string[] {
  if (path !== '' && !path.startsWith('/')) throw new PatchError(`no path: ${path}`);
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function patchedAt(
  container: unknown,
  [part = '', ...rest]: readonly string[],
  operation: JsonPatchOperation,
): Container {
  if (!isContainer(container)) throw new PatchError(`nothing at ${operation.path}`);
  if (rest.length === 0) return carriedOut(container, part, operation);
  const inner = valueAt(container, part);
  const patched = patchedAt(inner, rest, operation);
  return patched === inner ? container : withValue(container, part, patched);
}

function carriedOut(container: Container, part: string, operation: JsonPatchOperation): Container {
  const { op, path, value } = operation;
  const held = valueAt(container, part);
  if (op === 'test') {
    if (!isSameJson(held ?? null, value ?? null)) throw new PatchError(`${path} is not as tested`);
    return container;
  }
  if (op === 'add') return withAdded(container, part, value, path);
  const isMissing = held === undefined && (op === 'remove' || isList(container));
  if (isMissing) throw new PatchError(`nothing at ${path}`);
  return op === 'remove' ? without(container, part) : withValue(container, part, value);
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isList(container: Container): container is readonly unknown[] {
  return Array.isArray(container);
}

function valueAt(container: Container, part: string): unknown {
  if (isList(container)) return /^\d+$/.test(part) ? container[Number(part)] : undefined;
  return Object.hasOwn(container, part) ? container[part] : undefined;
}

function withValue(container: Container, part: string, value: unknown): Container {
  return isList(container) ? container.with(Number(part), value) : { ...container, [part]: value };
}

function withAdded(container: Container, part: string, value: unknown, path: string): Container {
  if (!isList(container)) return { ...container, [part]: value };
  const index = part === '-' ? container.length : Number(part);
  if (!Number.isInteger(index) || index > container.length) throw new PatchError(`no place at ${path}`);
  return container.toSpliced(index, 0, value);
}

function without(container: Container, part: string): Container {
  if (isList(container)) return container.toSpliced(Number(part), 1);
  const { [part]: _, ...others } = container;
  return others;
}
