import type { Refusal } from '../../decide/hold.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Holds } from '../holds.ts';
import { isLeaving } from '../leaving.ts';
import type { TargetFinder } from '../target-finder.ts';
import type { WorkloadUpdateOptions } from './options.ts';
import type { UpdaterMemory } from './updater-memory.ts';

/** So many VMIs without a target are found in one pass at most; the next pass goes on. */
const MOST_WITHOUT_TARGET = 200;

/** A VMI that no node can take. */
export interface WithoutTarget {
  readonly vmi: Vmi;
  readonly refusal: Refusal;
}

type TurnOptions = Pick<WorkloadUpdateOptions, 'behavior' | 'cluster' | 'inHand'>;

/** Who may get a turn in one pass. */
export class Turns {
  readonly withoutTarget: WithoutTarget[] = [];
  readonly #options: TurnOptions;
  readonly #holds: Holds;
  readonly #memory: UpdaterMemory;
  readonly #targets: TargetFinder;
  readonly #evicted = new Set<string | undefined>();

  constructor(options: TurnOptions, holds: Holds, memory: UpdaterMemory, targets: TargetFinder) {
    this.#options = options;
    this.#holds = holds;
    this.#memory = memory;
    this.#targets = targets;
  }

  /** Notes those that no node can take, and keeps a place for each that finds one. */
  mayMigrate = (vmi: Vmi): boolean => {
    if (this.#options.inHand.has(vmi)) return false;
    if (this.#options.behavior === 'exact') return true;
    if (isLeaving(this.#options.cluster.fleet, vmi)) return false;
    if (this.#holds.isHeld(vmi, 'migrate') || this.hasMore) return false;
    const refusal = this.#targets.take(vmi);
    if (refusal) this.withoutTarget.push({ vmi, refusal });
    return refusal === undefined;
  };

  /** Nobody while no batch is claimed, and nobody twice in a pass. */
  mayEvict = (vmi: Vmi): boolean =>
    this.#memory.isClaimed && !this.#evicted.has(vmi.metadata.uid) && this.couldEvict(vmi);

  /** Whether the VMI could be evicted now if there were a place. */
  couldEvict = (vmi: Vmi): boolean =>
    !this.#options.inHand.has(vmi) &&
    !this.#holds.isHeld(vmi, 'evict') &&
    !isLeaving(this.#options.cluster.fleet, vmi);

  noteEvicted(vmi: Vmi): void {
    this.#evicted.add(vmi.metadata.uid);
  }

  /** How many evictions this pass has tried. */
  get tried(): number {
    return this.#evicted.size;
  }

  /** More VMIs wait for being looked at than one pass may. */
  get hasMore(): boolean {
    return this.withoutTarget.length >= MOST_WITHOUT_TARGET;
  }
}
