import type { PassResult } from '../../decide/evacuation/pass.ts';
import { EXPECTATION_TIMEOUT_SECONDS } from '../../decide/expectations.ts';
import type { Refusal } from '../../decide/hold.ts';
import type { Settings } from '../../decide/settings.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Holds } from '../holds.ts';
import { isLeaving } from '../leaving.ts';
import { TargetFinder } from '../target-finder.ts';
import { migrationsWithoutNode } from '../under-way.ts';
import type { EvacuationOptions } from './options.ts';

/** Who may be migrated in one pass over a node. */
export class NodeTurns {
  /** VMIs that no node can take. */
  readonly withoutTarget: { readonly vmi: Vmi; readonly refusal: Refusal }[] = [];
  readonly #options: EvacuationOptions;
  readonly #holds: Holds;
  readonly #targets: TargetFinder;

  constructor(options: EvacuationOptions, holds: Holds, settings: Settings) {
    this.#options = options;
    this.#holds = holds;
    const { behavior, cluster, inHand } = options;
    const underWay = () => migrationsWithoutNode(cluster.fleet, inHand);
    this.#targets = new TargetFinder(cluster.fleet, settings, behavior, underWay);
  }

  mayMigrate = (vmi: Vmi): boolean => {
    const { behavior, cluster, inHand } = this.#options;
    if (inHand.has(vmi)) return false;
    if (behavior === 'exact') return true;
    if (this.#holds.isHeld(vmi, 'migrate') || isLeaving(cluster.fleet, vmi)) return false;
    return this.#isLetGo(vmi, this.#targets.refusalFor(vmi));
  };

  /** A place is kept for each that finds one, so that the next one finds another. */
  findsTarget = (vmi: Vmi): boolean =>
    this.#options.behavior === 'exact' || this.#isLetGo(vmi, this.#targets.take(vmi));

  #isLetGo(vmi: Vmi, refusal: Refusal | undefined): boolean {
    if (refusal) this.withoutTarget.push({ vmi, refusal });
    return refusal === undefined;
  }

  /** When those who should go and did not get a turn may be tried again, as far as no event says so. */
  ends({ decisions }: PassResult): Instant[] {
    const { clock, inHand } = this.#options;
    const wanted = decisions.filter(({ decision }) => decision.result.action === 'CreateMigration');
    return wanted.flatMap(({ vmi }) => {
      if (inHand.has(vmi)) return clock.now() + EXPECTATION_TIMEOUT_SECONDS * 1000;
      return this.#holds.heldUntil(vmi, 'migrate') ?? [];
    });
  }
}
