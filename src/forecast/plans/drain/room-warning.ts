import {
  type Amounts,
  amountsOf,
  loadOf,
  minus,
  plus,
  podRequests,
  tellAmount,
} from '../../../decide/placement/resources.ts';
import { counted } from '../../../kubevirt/words.ts';
import { type Context, isCordoned } from '../../context.ts';
import type { Ending } from '../../ending.ts';
import type { Foreseen } from '../../foreseen.ts';

/**
 * Warns when VMs that each find a place by themselves do not find one together. Only the sums are compared, so a warning
 * is certain and its absence is none.
 */
export function roomWarning(context: Context, foreseen: readonly Foreseen[]): string[] {
  const moving = foreseen.filter(({ ending }) => fitsAlone(ending));
  const pods = moving.flatMap(({ vmi }) => context.fleet.launcherPodOf(vmi) ?? []);
  if (pods.length < 2) return [];
  const wanted = pods.map(podRequests).reduce(plus, new Map());
  const free = freeAmounts(context);
  return ['cpu', 'memory'].flatMap((resource) => tooLittle(resource, wanted, free, pods.length));
}

function fitsAlone({ outcome, reason }: Ending): boolean {
  return outcome === 'LiveMigrates' || outcome === 'Restarts' || reason === 'RoomTaken';
}

function freeAmounts({ world }: Context): Amounts {
  const open = world.nodes.filter((node) => !isCordoned(node) && !world.cordoned.has(node.metadata.name));
  return open
    .map((node) => minus(amountsOf(node.status?.allocatable), loadOf(world.podsOn(node.metadata.name))))
    .reduce(plus, new Map());
}

function tooLittle(resource: string, wanted: Amounts, free: Amounts, count: number): string[] {
  const asked = wanted.get(resource) ?? 0;
  const there = Math.max(0, free.get(resource) ?? 0);
  if (asked <= there) return [];
  return [
    `${counted(count, 'VM')} fit one by one, but not together: they ask for ${tellAmount(resource, asked)} of ${resource}, and the other nodes have ${tellAmount(resource, there)} free. Some will wait or stay.`,
  ];
}
