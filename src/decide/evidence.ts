import type { Condition, ObjectMeta } from '../kubevirt/objects.ts';
import { findCondition, keyOf } from '../kubevirt/predicates.ts';
import type { Evidence } from './rules.ts';

interface Named {
  readonly kind?: string | undefined;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}

/** `Kind namespace/name`, the form in which evidence names an object; a person can read it and find the object. */
export function refOf(object: Named, kind = object.kind ?? 'Object'): string {
  return `${kind} ${keyOf(object)}`;
}

/** Evidence of one field. `path` is a dotted field path; indices and keys may stand in brackets. */
export function field(object: Named, path: string, value: unknown, kind?: string): Evidence {
  return { object: refOf(object, kind), path, value };
}

/** Evidence of a condition: its status, with its reason and message where it has them; `undefined` where it is absent. */
export function conditionField(
  object: Named & { status?: { conditions?: readonly Condition[] | undefined } | undefined },
  type: string,
  kind?: string,
): Evidence {
  const condition = findCondition(object.status?.conditions, type);
  const told = [condition?.status, condition?.reason, condition?.message].filter(Boolean).join(': ');
  return field(object, `status.conditions[type=${type}]`, condition ? told : undefined, kind);
}
