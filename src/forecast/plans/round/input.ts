import { keptOffNodeOf } from '../../../decide/placement/neighbours.ts';
import { NOBODY, type PodsByNode } from '../../../decide/placement/placed.ts';
import { judgePlacement } from '../../../decide/placement/placement.ts';
import { amountsOf, loadOf } from '../../../decide/placement/resources.ts';
import type { RoundInput, RoundNode, RoundVm } from '../../../decide/schedule/round.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { isLauncherPod, keyOf } from '../../../kubevirt/predicates.ts';
import { type Context, isCordoned } from '../../context.ts';
import type { Outcome, VmVerdict } from '../../forecast.ts';

/** What becomes of each VM when its node alone is drained, by key. */
export type AloneVerdicts = ReadonlyMap<string, Pick<VmVerdict, 'outcome' | 'reason'>>;

/** The cluster as the search for an order sees it: the due nodes in their order, then those that are open, by name. */
export function roundInput(context: Context, due: readonly string[], alone: AloneVerdicts): RoundInput {
  const { fleet, world } = context;
  const others = world.nodes.filter((node) => !isCordoned(node)).map(({ metadata }) => metadata.name);
  const names = [...new Set([...due, ...others])];
  const vmis = names.flatMap((name) => fleet.vmisOn(name));
  const groups = new Map<PodsByNode, ReadonlySet<string>>();
  const groupOf = (pods: PodsByNode): ReadonlySet<string> => {
    const group = groups.get(pods) ?? vmisOf(context, pods);
    groups.set(pods, group);
    return group;
  };
  return {
    nodes: names.map((name) => roundNode(context, name, due.includes(name))),
    vms: vmis.flatMap((vmi) => {
      const pod = fleet.launcherPodOf(vmi);
      const fate = fateOf(alone.get(keyOf(vmi)));
      if (!pod || !fate) return [];
      return [{ ...roundVm(context, vmi, pod, fate), apart: keptOffNodeOf(pod, world).map(groupOf) }];
    }),
  };
}

/** Keys of the VMs whose launchers these are. */
function vmisOf({ fleet }: Context, pods: PodsByNode): ReadonlySet<string> {
  const there = [...pods.there({ gone: NOBODY })].flatMap(([, podsThere]) => podsThere);
  const vmis = there.filter(isLauncherPod).flatMap((pod) => fleet.vmiOfLauncher(pod) ?? []);
  return new Set(vmis.map(keyOf));
}

function roundNode({ world }: Context, name: string, isDue: boolean): RoundNode {
  const node = world.node(name);
  return {
    name,
    isDue,
    allocatable: node ? (world.allocatableOn(node) ?? amountsOf({})) : amountsOf({}),
    load: world.loadOn(name),
  };
}

const FATES: Readonly<Partial<Record<Outcome, RoundVm['fate']>>> = {
  LiveMigrates: 'Goes',
  Restarts: 'Goes',
  MayStayOff: 'Goes',
  StaysOff: 'Leaves',
  Cut: 'Leaves',
};

/** VMs that a drain does not touch are not of this round; those elsewhere stay where they are. */
function fateOf(verdict: Pick<VmVerdict, 'outcome' | 'reason'> | undefined): RoundVm['fate'] | undefined {
  if (!verdict) return 'Stays';
  if (verdict.outcome === 'Untouched') return undefined;
  // Room is what the order of the nodes can make.
  return verdict.reason === 'NoRoom' ? 'Goes' : (FATES[verdict.outcome] ?? 'Stays');
}

function roundVm(context: Context, vmi: Vmi, pod: Pod, fate: RoundVm['fate']): Omit<RoundVm, 'apart'> {
  const node = vmi.status?.nodeName ?? '';
  const requests = loadOf([pod, ...context.fleet.hotplugPodsOf(pod)]);
  const elsewhere = fate === 'Goes' ? placesOf(context, vmi, pod) : [];
  return { key: keyOf(vmi), node, requests, fate, mayGoTo: new Set([...elsewhere, node]) };
}

/** As a migration's target: a launcher that starts anew may go to no fewer nodes. */
function placesOf(context: Context, vmi: Vmi, pod: Pod): readonly string[] {
  const { world, settings, behavior } = context;
  return judgePlacement({ pod, vmi, purpose: 'migration-target', world, settings, behavior }).fitsIfEmpty;
}
