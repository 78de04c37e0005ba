import { judgePlacement, type Placement } from '../../decide/placement/placement.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';

/**
 * Where another launcher of a VMI finds a place: the target of a migration, or a new one after a restart. What is plugged into the
 * guest is attached beside a target too, by pods that quotas count.
 */
export function placeLauncher(
  context: Context,
  vmi: Vmi,
  purpose: 'migration-target' | 'restart',
): Placement {
  const pod = context.fleet.launcherPodOf(vmi);
  return judgePlacement({
    pod,
    vmi,
    purpose,
    coming: purpose === 'migration-target' && pod ? context.fleet.hotplugPodsOf(pod) : [],
    world: context.world,
    quotas: context.fleet.quotasIn(vmi.metadata.namespace ?? ''),
    settings: context.settings,
    behavior: context.behavior,
    limit: context.explain ? undefined : 1,
  });
}
