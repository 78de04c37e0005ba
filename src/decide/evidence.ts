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

/** The same of a VMI; lists of objects may come without their kind. */
export function vmiRef(vmi: Named): string {
  return refOf(vmi, 'VirtualMachineInstance');
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

/** Evidence of a field of a VMI, whether or not it says its kind; likewise of the others below. */
export function vmiField(vmi: Named, path: string, value: unknown): Evidence {
  return field(vmi, path, value, 'VirtualMachineInstance');
}

export function migrationField(migration: Named, path: string, value: unknown): Evidence {
  return field(migration, path, value, 'VirtualMachineInstanceMigration');
}

export function podField(pod: Named, path: string, value: unknown): Evidence {
  return field(pod, path, value, 'Pod');
}

export function vmField(vm: Named, path: string, value: unknown): Evidence {
  return field(vm, path, value, 'VirtualMachine');
}
