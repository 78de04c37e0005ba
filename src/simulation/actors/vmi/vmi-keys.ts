import type { Fleet } from '../../../fleet/fleet.ts';
import { namespacedKey } from '../../../kubevirt/object-key.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { controllerOf } from '../../../kubevirt/predicates.ts';

/** The VMI that a launcher, or the launcher of an attachment pod, belongs to; none where it cannot be told. */
export function vmiKeyOfPod(pod: Pod, fleet: Fleet): readonly string[] {
  const owner = controllerOf(pod.metadata);
  const key = namespacedKey(pod.metadata.namespace ?? '', owner?.name ?? '');
  if (owner?.kind === 'VirtualMachineInstance') return [key];
  const launcher = owner?.kind === 'Pod' ? fleet.get('Pod', key) : undefined;
  return launcher ? vmiKeyOfPod(launcher, fleet) : [];
}
