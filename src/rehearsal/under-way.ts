import type { Fleet } from '../fleet/fleet.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { isFinal, isPodFinished, isRunning, keyOf } from '../kubevirt/predicates.ts';
import type { BehaviorOf } from '../simulation/guests/behavior.ts';
import type { Observer } from './observer.ts';
import type { Story } from './story.ts';

/**
 * Whether something goes on that shows in no object until it is over: a copy, a guest that boots or shuts down, or one that will
 * end of its own accord. However long that takes, it is not quiet before.
 */
export function isUnderWay(
  { stories }: Pick<Observer, 'stories'>,
  fleet: Fleet,
  behaviorOf: BehaviorOf,
): boolean {
  for (const story of stories.values()) if (isCopied(story)) return true;
  for (const vmi of fleet.all('VirtualMachineInstance')) {
    // A guest that fell with its node goes on with nothing.
    const isThere = stories.get(keyOf(vmi))?.node !== undefined;
    if (isRunning(vmi) ? isThere && isEnding(vmi, fleet, behaviorOf) : isComingUp(vmi, fleet)) return true;
  }
  return false;
}

function isCopied({ node, moves }: Story): boolean {
  const last = moves.at(-1);
  return node !== undefined && last !== undefined && last.endAt === undefined;
}

function isEnding(vmi: Vmi, fleet: Fleet, behaviorOf: BehaviorOf): boolean {
  if (vmi.metadata.deletionTimestamp !== undefined || behaviorOf(vmi).ownEnd) return true;
  return fleet.launcherPodOf(vmi)?.metadata.deletionTimestamp !== undefined;
}

/** It has a node; one that waits for a node may do so for ever. */
function isComingUp(vmi: Vmi, fleet: Fleet): boolean {
  if (isFinal(vmi)) return false;
  return fleet
    .podsOf(vmi)
    .some(
      (pod) => pod.spec?.nodeName !== undefined && !isPodFinished(pod) && !pod.metadata.deletionTimestamp,
    );
}
