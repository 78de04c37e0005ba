import { foreseeUpdate, isDueForEviction } from '../../chains/update.ts';
import type { Context } from '../../context.ts';
import { type Follow, type Foreseen, foreseeEach } from '../../foreseen.ts';
import { afterOthers } from '../../others/after-others.ts';
import { withNodesAhead } from '../../others/nodes-ahead.ts';

/** The updater's work on every VMI of the fleet, followed to its end. */
export function foreseeRollout(plain: Context, launcherImage: string): Foreseen[] {
  const context: Context = { ...plain, evicts: (vmi) => isDueForEviction(plain, vmi, launcherImage) };
  const vmis = context.fleet.all('VirtualMachineInstance');
  const follow: Follow = (so, vmi, trail) => foreseeUpdate(so, vmi, launcherImage, trail);
  const settled = afterOthers(context, foreseeEach(context, vmis, follow), []);
  return withBatches(context, withNodesAhead(context, settled));
}

/** Whether the updater evicts the VMI, whatever the webhook says to that. */
export function isEvicted({ trail }: Foreseen): boolean {
  return trail.asked('eviction webhook');
}

/** How many places of batches evictions take, once each: where Drover evicts, those that are refused leave theirs to others. */
export function placesOf({ behavior }: Context, evicted: readonly Foreseen[]): number {
  const isRefused = ({ ending }: Foreseen): boolean => ending.outcome === 'Blocks';
  return behavior === 'exact' ? evicted.length : evicted.filter((one) => !isRefused(one)).length;
}

/** Evictions that all fit into one batch go together; of more, chance picks who goes first. */
function withBatches(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  const places = placesOf(context, foreseen.filter(isEvicted));
  if (places > context.settings.batchEvictionSize) return [...foreseen];
  return foreseen.map((one) => (isEvicted(one) ? { ...one, ending: { ...one.ending, batch: 1 } } : one));
}
