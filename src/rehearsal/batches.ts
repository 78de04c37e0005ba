import type { Behavior } from '../decide/rules.ts';
import { resultOf } from '../decide/rules.ts';
import { resolveSettings } from '../decide/settings.ts';
import { categorise } from '../decide/workload-update/categorise.ts';
import { gateTable } from '../decide/workload-update/gates.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { Observer } from './observer.ts';
import type { Story } from './story.ts';

/** The updater as it runs. */
export interface Updating {
  readonly launcherImage: string;
  /** Since when it runs, and starts launchers from that image. */
  readonly since: Instant;
  readonly behavior: Behavior;
  readonly now: Instant;
}

/**
 * Asks of a VMI whether it waits for a batch: it is to be evicted, and the updater has not asked for it yet. Batches may be hours apart, and
 * where others refuse again and again chance says whose turn it is.
 */
export function batchAwaiters(
  { stories }: Pick<Observer, 'stories'>,
  fleet: Fleet,
  { launcherImage, since, behavior, now }: Updating,
): (vmi: Vmi) => boolean {
  const kubevirt = fleet.kubevirt();
  const { batchEvictionSize, workloadUpdateMethods: methods } = resolveSettings(kubevirt);
  if (batchEvictionSize <= 0 || !resultOf(gateTable, { kubevirt, now }).open) return () => false;
  return (vmi) => {
    if (hadTurn(stories.get(keyOf(vmi)), since) || !fleet.launcherPodOf(vmi)) return false;
    const unfinishedMigrations = fleet.unfinishedMigrationsOf(vmi);
    return (
      categorise({ vmi, launcherImage, methods, unfinishedMigrations, now, behavior }).action === 'evict'
    );
  };
}

/** Its eviction was asked for since the updater runs, and since its guest is where it is. */
function hadTurn(story: Story | undefined, since: Instant): boolean {
  if (!story) return true;
  const cameAt = Math.max(since, story.outages.at(-1)?.upAt ?? 0, story.moves.at(-1)?.endAt ?? 0);
  return (story.evictedAt ?? 0) >= cameAt;
}
