import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { controllerOf } from '../kubevirt/predicates.ts';

/**
 * The pod that a VMI runs in now: the newest of those that the VMI controls on its node, or of all that it controls
 * while it has no node. kubevirt v1.9.0 pkg/controller/virtinformers.go (CurrentVMIPod).
 *
 * Promise: `pods` may hold pods of other VMIs, none is changed; the phase is not looked at, so a finished pod can be
 * the answer; of equally old ones the first; `undefined` where there is none.
 */
export function currentPod(vmi: Vmi, pods: Iterable<Pod>): Pod | undefined {
  let newest: Pod | undefined;
  for (const pod of pods) {
    if (mayRun(pod, vmi) && (newest === undefined || isNewer(pod, newest))) newest = pod;
  }
  return newest;
}

function mayRun(pod: Pod, vmi: Vmi): boolean {
  const node = vmi.status?.nodeName;
  return isControlledBy(pod, vmi) && (!node || node === pod.spec?.nodeName);
}

/** Only the controlling owner reference counts, not the label `kubevirt.io/created-by`. */
function isControlledBy(pod: Pod, vmi: Vmi): boolean {
  const { uid, namespace } = vmi.metadata;
  return uid !== undefined && pod.metadata.namespace === namespace && controllerOf(pod.metadata)?.uid === uid;
}

/** Timestamps of the API server are UTC with whole seconds, so their texts sort as they do. */
function isNewer(a: Pod, b: Pod): boolean {
  return (a.metadata.creationTimestamp ?? '') > (b.metadata.creationTimestamp ?? '');
}
