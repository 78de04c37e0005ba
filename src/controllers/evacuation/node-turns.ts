import type { PassResult, VmiDecision } from '../../decide/evacuation/pass.ts';
import type { Refusal } from '../../decide/hold.ts';
import type { Settings } from '../../decide/settings.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { migratingChangesAt } from '../../kubevirt/predicates.ts';
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

  /** When those who should go and did not may be tried again, as far as no event says so. */
  ends({ decisions, creations }: PassResult): Instant[] {
    const taken = new Set(creations.map(({ vmi }) => vmi));
    return decisions.flatMap((decided) => this.#endOf(decided, taken.has(decided.vmi)) ?? []);
  }

  /** Time alone ends a migration whose node's clock is ahead. Somebody who was held, and is not any more, may go now. */
  #endOf({ vmi, decision }: VmiDecision, isTaken: boolean): Instant | undefined {
    const { clock, cluster, inHand } = this.#options;
    const now = clock.now();
    if (decision.result.action === 'Wait') return migratingChangesAt(vmi, now);
    if (decision.result.action !== 'CreateMigration' || isLeaving(cluster.fleet, vmi)) return undefined;
    return inHand.heldUntil(vmi) ?? this.#holds.heldUntil(vmi, 'migrate') ?? (isTaken ? undefined : now);
  }
}
