import type { Fleet } from '../fleet/fleet.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { isFinal, isPodFinished, isRunning, keyOf } from '../kubevirt/predicates.ts';
import type { BehaviorOf } from '../simulation/guests/behavior.ts';
import type { Observer } from './observer.ts';
import type { Story } from './story.ts';

/**
 * Whether something goes on that shows in no object until it is over: a copy, a pod that starts, a guest that boots or shuts down, one that will
 * end of its own accord, or what is awaited besides. However long that takes, it is not quiet before.
 */
export function isUnderWay(
  { stories, isAwaiting }: Pick<Observer, 'stories' | 'isAwaiting'>,
  fleet: Fleet,
  behaviorOf: BehaviorOf,
): boolean {
  if (isAwaiting) return true;
  for (const story of stories.values()) if (isCopied(story)) return true;
  for (const vmi of fleet.all('VirtualMachineInstance')) {
    // A guest that fell with its node goes on with nothing.
    const isThere = stories.get(keyOf(vmi))?.node !== undefined;
    if (isRunning(vmi) ? isThere && isGoingOn(vmi, fleet, behaviorOf) : isComingUp(vmi, fleet)) return true;
  }
  return false;
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
