import type { ObjectMeta } from './objects.ts';

/** The object without the finalizer, the others in their order; undefined where it does not have it. */
export function withoutFinalizer<T extends { readonly metadata: ObjectMeta }>(
  object: T,
  finalizer: string,
): T | undefined {
  const { finalizers } = object.metadata;
  if (!finalizers?.includes(finalizer)) return undefined;
  const others = finalizers.filter((name) => name !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers: others } };
}
