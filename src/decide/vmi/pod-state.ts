import { CONDITION } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { isConditionTrue, isPodFinished } from '../../kubevirt/predicates.ts';

/** The pod has ended, or was told to. kubevirt v1.9.0 pkg/controller/controller.go (IsPodDownOrGoingDown) */
export function isPodDownOrGoingDown(pod: Pod): boolean {
  return isPodFinished(pod) || pod.metadata.deletionTimestamp !== undefined;
}

/** The launcher runs and serves. kubevirt v1.9.0 pkg/controller/controller.go (IsPodReady) */
export function isLauncherReady(pod: Pod): boolean {
  if (isPodDownOrGoingDown(pod) || pod.status?.phase !== 'Running') return false;
  return isConditionTrue(pod.status.conditions, CONDITION.ready);
}
