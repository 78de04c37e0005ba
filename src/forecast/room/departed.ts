import type { Pod } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import type { Foreseen } from '../foreseen.ts';

/** The launchers of VMs; one without a launcher has none. */
export function launchersOf({ fleet }: Context, foreseen: readonly Foreseen[]): Pod[] {
  return foreseen.flatMap(({ vmi }) => fleet.launcherPodOf(vmi) ?? []);
}
