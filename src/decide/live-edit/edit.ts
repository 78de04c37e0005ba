import { isSameJson, type JsonObject, objectAt } from '../../kubevirt/json.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { vmiSpecSchema } from '../../kubevirt/objects.ts';
import { isSameQuantity, parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';
import { isKnownStrategy } from '../eviction-strategy.ts';

/** Where in a VM's template the edits stand that Drover can judge, and what their values are. */
const PATHS = {
  'cpu.sockets': 'integer',
  'cpu.cores': 'integer',
  'cpu.threads': 'integer',
  'cpu.maxSockets': 'integer',
  'cpu.model': 'text',
  'memory.guest': 'quantity',
  'memory.maxGuest': 'quantity',
  evictionStrategy: 'strategy',
  terminationGracePeriodSeconds: 'integer',
  nodeSelector: 'json',
  affinity: 'json',
  tolerations: 'json',
} as const;

export type EditPath = keyof typeof PATHS;

/** A change of one field below `spec.template.spec` of a VM; `cpu` and `memory` are short for `domain.cpu`, `domain.memory`. */
export interface LiveEdit {
  readonly path: EditPath;
  /** The new value; `undefined` removes the field. */
  readonly value: unknown;
}

export const EDIT_PATHS = Object.keys(PATHS) as readonly EditPath[];

function isEditPath(path: string): path is EditPath {
  return Object.hasOwn(PATHS, path);
}

/**
 * Reads an edit as people write it: `cpu.sockets=2`, `memory.guest=4Gi`, `nodeSelector={"zone":"a"}`.
 *
 * Promise: the path may also be written in full (`spec.template.spec.domain.cpu.sockets`); an empty value removes the
 * field. What cannot be judged gives `{ error }`, which says why.
 */
export function parseEdit(setting: string): LiveEdit | { readonly error: string } {
  const [written = '', ...rest] = setting.split('=');
  const path = written
    .trim()
    .replace(/^spec\.template\.spec\./, '')
    .replace(/^domain\./, '');
  const text = rest.join('=').trim();
  if (rest.length === 0) return { error: `"${setting}" has no "=": write path=value` };
  if (!isEditPath(path)) {
    return { error: `cannot judge an edit of "${path}"; known are ${EDIT_PATHS.join(', ')}` };
  }
  if (text === '') return { path, value: undefined };
  const value = parseValue(path, text);
  return value === undefined ? { error: `"${text}" is no ${PATHS[path]} for ${path}` } : { path, value };
}

function parseValue(path: EditPath, text: string): unknown {
  switch (PATHS[path]) {
    case 'integer':
      return /^\d+$/.test(text) ? Number(text) : undefined;
    case 'quantity':
      return parseQuantity(text) === undefined ? undefined : text;
    case 'text':
      return text;
    case 'strategy':
      // virt-api refuses any other.
      return isKnownStrategy(text) ? text : undefined;
    case 'json':
      return parseJson(path, text);
  }
}

function parseJson(path: EditPath, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return vmiSpecSchema.safeParse({ [path]: value }).success ? value : undefined;
  } catch {
    return undefined;
  }
}

function segmentsOf(path: EditPath): readonly string[] {
  return path.includes('.') ? ['domain', ...path.split('.')] : [path];
}

/** The path as it stands in a VMI's spec, for evidence: `spec.domain.cpu.sockets`. */
export function specPathOf(path: EditPath): string {
  return ['spec', ...segmentsOf(path)].join('.');
}

/** The value of a field in a VMI spec or template. */
export function valueAt(spec: VmiSpec | undefined, path: EditPath): unknown {
  const segments = segmentsOf(path);
  const holder = segments.slice(0, -1).reduce<JsonObject>(objectAt, { ...spec });
  return holder[segments.at(-1) ?? ''];
}

/** The spec with the edit made; everything else stays. A value of the wrong shape throws. */
export function editedSpec(spec: VmiSpec | undefined, { path, value }: LiveEdit): VmiSpec {
  return vmiSpecSchema.parse(withValue({ ...spec }, segmentsOf(path), value));
}

/** The same for a spec with all its fields, none of which is looked at or lost. */
export function editedWholeSpec(spec: JsonObject, { path, value }: LiveEdit): JsonObject {
  return withValue(spec, segmentsOf(path), value);
}

function withValue(object: JsonObject, segments: readonly string[], value: unknown): JsonObject {
  const [key = '', ...rest] = segments;
  return { ...object, [key]: rest.length === 0 ? value : withValue(objectAt(object, key), rest, value) };
}

/** Whether two values of a field mean the same; quantities by amount, an empty map or list like none. */
export function isSameValue(path: EditPath, a: unknown, b: unknown): boolean {
  if (PATHS[path] === 'quantity') return isSameQuantity(a as Quantity, b as Quantity);
  return isSameJson(a ?? undefined, b ?? undefined) || (isEmpty(a) && isEmpty(b));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}
