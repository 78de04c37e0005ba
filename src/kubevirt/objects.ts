/**
 * The narrow shapes of the objects that Drover reads, with the raw JSON names. Each schema is the type, the check of
 * distrusted input, and the projection (what is not named here is dropped) in one. `null` must be removed beforehand:
 * Kubernetes writes it where Go has a zero value, so absent and null mean the same.
 * kubevirt v1.9.0 staging/src/kubevirt.io/api/core/v1/types.go; api-objects of the spec.
 */
export * from './objects/cluster-api.ts';
export * from './objects/kubevirt.ts';
export * from './objects/meta.ts';
export * from './objects/migration.ts';
export * from './objects/namespace.ts';
export * from './objects/node.ts';
export * from './objects/pod.ts';
export * from './objects/scheduling.ts';
export * from './objects/storage.ts';
export * from './objects/vm.ts';
export * from './objects/vmi.ts';
