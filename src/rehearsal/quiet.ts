import type { Behavior } from '../decide/rules.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { BehaviorOf } from '../simulation/guests/behavior.ts';
import { batchAwaiters } from './batches.ts';
import type { ControllerProcess } from './controller-process.ts';
import type { Observer } from './observer.ts';
import { isAnythingAwaited, isUnderWay } from './under-way.ts';

/** A cluster that is played, in virtual time or in a lab, and who takes it down. */
export interface Played {
  readonly observer: Observer;
  readonly fleet: Fleet;
  readonly controller: Pick<ControllerProcess, 'launcherImage' | 'since'>;
  readonly behavior: Behavior;
  readonly behaviorOf: BehaviorOf;
}

/** Tells when a rehearsal is over. */
export class Quiet {
  readonly #played: Played;
  /** Who kept it from being quiet when last asked: most do so for long, and to look at one is quicker than at all. */
  #restless: string | undefined;

  constructor(played: Played) {
    this.#played = played;
  }

  /** Whether nothing has happened to any VM for so long, nothing is under way, and nobody waits for a batch. */
  isQuiet(seconds: number, now: Instant): boolean {
    const { observer, fleet, controller, behavior, behaviorOf } = this.#played;
    if (now - observer.quietSince < seconds * 1000 || isAnythingAwaited(observer)) return false;
    const { launcherImage, since } = controller;
    const awaitsBatch = batchAwaiters(observer, fleet, { launcherImage, since, behavior, now });
    const isRestless = (vmi: Vmi) => isUnderWay(vmi, observer, fleet, behaviorOf) || awaitsBatch(vmi);
    const last = fleet.get('VirtualMachineInstance', this.#restless ?? '');
    if (last && isRestless(last)) return false;
    for (const vmi of fleet.all('VirtualMachineInstance')) {
      if (!isRestless(vmi)) continue;
      this.#restless = keyOf(vmi);
      return false;
    }
    return true;
  }
}
