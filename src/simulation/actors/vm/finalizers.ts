import { withoutFinalizer } from '../../../kubevirt/finalizers.ts';
import { FINALIZER } from '../../../kubevirt/names.ts';
import type { ObjectMeta } from '../../../kubevirt/objects.ts';
import { extended } from '../../../kubevirt/shapes.ts';

interface Kept {
  readonly metadata: ObjectMeta;
}

export function hasVmFinalizer({ metadata }: Kept): boolean {
  return metadata.finalizers?.includes(FINALIZER.vmController) ?? false;
}

/** Kept until the VM controller has seen its end. */
export function withVmFinalizer<T extends Kept>(object: T): T {
  if (hasVmFinalizer(object)) return object;
  const finalizers = [...(object.metadata.finalizers ?? []), FINALIZER.vmController];
  return { ...object, metadata: extended(object.metadata, { finalizers }) };
}

/** Itself where it does not have it. */
export function withoutVmFinalizer<T extends Kept>(object: T): T {
  return withoutFinalizer(object, FINALIZER.vmController) ?? object;
}
