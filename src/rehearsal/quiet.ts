import type { Behavior } from '../decide/rules.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { BehaviorOf } from '../simulation/guests/behavior.ts';
import { awaitsBatch } from './batches.ts';
import type { ControllerProcess } from './controller-process.ts';
import type { Observer } from './observer.ts';
import { isUnderWay } from './under-way.ts';

/** A cluster that is played, in virtual time or in a lab, and who takes it down. */
export interface Played {
  readonly observer: Observer;
  readonly fleet: Fleet;
  readonly controller: Pick<ControllerProcess, 'launcherImage' | 'since'>;
  readonly behavior: Behavior;
  readonly behaviorOf: BehaviorOf;
}

/** Whether nothing has happened to any VM for so long, nothing is under way, and nobody waits for a batch. */
export function isQuiet(played: Played, seconds: number, now: Instant): boolean {
  const { observer, fleet, controller, behavior, behaviorOf } = played;
  if (now - observer.quietSince < seconds * 1000) return false;
  const { launcherImage, since } = controller;
  return (
    !isUnderWay(observer, fleet, behaviorOf) &&
    !awaitsBatch(observer, fleet, { launcherImage, since, behavior, now })
  );
}
