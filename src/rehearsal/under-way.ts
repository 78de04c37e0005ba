import type { Fleet } from '../fleet/fleet.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { isFinal, isPodFinished, isRunning, keyOf } from '../kubevirt/predicates.ts';
import type { BehaviorOf } from '../simulation/guests/behavior.ts';
import type { Observer } from './observer.ts';
import type { Story } from './story.ts';

/** Whether there is a copy, or something that is awaited besides what happens to VMs. */
export function isAnythingAwaited({
  stories,
  isAwaiting,
}: Pick<Observer, 'stories' | 'isAwaiting'>): boolean {
  if (isAwaiting) return true;
  for (const story of stories.values()) if (isCopied(story)) return true;
  return false;
}

/**
 * Whether something goes on with a VMI that shows in no object until it is over: a pod that starts, a guest that boots or shuts down, or
 * will end of its own accord. However long that takes, it is not quiet before.
 */
export function isUnderWay(
  vmi: Vmi,
  { stories }: Pick<Observer, 'stories'>,
  fleet: Fleet,
  behaviorOf: BehaviorOf,
): boolean {
  if (!isRunning(vmi)) return isComingUp(vmi, fleet);
  // A guest that fell with its node goes on with nothing.
  return stories.get(keyOf(vmi))?.node !== undefined && isGoingOn(vmi, fleet, behaviorOf);
}

function isCopied({ node, moves }: Story): boolean {
  const last = moves.at(-1);
  return node !== undefined && last !== undefined && last.endAt === undefined;
}

/** Its guest ends, or a migration's target starts. */
function isGoingOn(vmi: Vmi, fleet: Fleet, behaviorOf: BehaviorOf): boolean {
  if (vmi.metadata.deletionTimestamp !== undefined || behaviorOf(vmi).ownEnd) return true;
  if (fleet.launcherPodOf(vmi)?.metadata.deletionTimestamp !== undefined) return true;
  return fleet.podsOf(vmi).some((pod) => pod.status?.phase === 'Pending' && isOnNode(pod));
}

/** It has a node; one that waits for a node may do so for ever. */
function isComingUp(vmi: Vmi, fleet: Fleet): boolean {
  if (isFinal(vmi)) return false;
  return fleet.podsOf(vmi).some((pod) => isOnNode(pod) && !isPodFinished(pod));
}

function isOnNode({ metadata, spec }: Pod): boolean {
  return spec?.nodeName !== undefined && metadata.deletionTimestamp === undefined;
}
