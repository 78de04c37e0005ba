import { PlacementWorld } from '../../decide/placement/world.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';

/** The launchers of VMs; one without a launcher has none. */
export function launchersOf({ fleet }: Context, foreseen: readonly Foreseen[]): Pod[] {
  return foreseen.flatMap(({ vmi }) => fleet.launcherPodOf(vmi) ?? []);
}

/** The nodes as they are once these pods are gone. */
export function worldWithout({ fleet, world }: Context, gone: ReadonlySet<Pod>): PlacementWorld {
  return new PlacementWorld({
    nodes: world.nodes,
    podsOn: (node) => fleet.podsOn(node).filter((pod) => !gone.has(pod)),
    cordoned: world.cordoned,
    namespaceLabels: world.namespaceLabels,
    volumesOf: world.volumesOf,
  });
}
