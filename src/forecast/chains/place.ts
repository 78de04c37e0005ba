import { judgePlacement, type Placement } from '../../decide/placement/placement.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';

type Purpose = 'migration-target' | 'restart';

/**
 * Where another launcher of a VMI finds a place: the target of a migration, or a new one after a restart. What is plugged into the
 * guest is attached beside a target too, by pods that quotas count. Pods that the action takes away are in nobody's way once all
 * others are gone.
 */
export function placeLauncher(context: Context, vmi: Vmi, purpose: Purpose): Placement {
  const placement = placeIn(context, vmi, purpose);
  const { emptied } = context;
  if (placement.fitsIfEmpty.length > 0 || !emptied) return placement;
  const { fitsIfEmpty } = placeIn({ ...context, world: emptied }, vmi, purpose);
  return { ...placement, fitsIfEmpty };
}

function placeIn(context: Context, vmi: Vmi, purpose: Purpose): Placement {
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
