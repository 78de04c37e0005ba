import type { JsonObject } from '../../kubevirt/json.ts';
import { objectAt } from '../../kubevirt/json.ts';
import type { Migration } from '../../kubevirt/objects.ts';
import { isWorkloadUpdateMigration } from '../../kubevirt/predicates.ts';
import type { StoredChange } from '../../simulation/memory-api.ts';
import type { Write } from '../../simulation/memory-cluster.ts';
import { KUBEVIRT, type Races } from './races.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

/**
 * Whether virt-controller's workload updater has seen its own last write when it looks again: it makes its next pass within
 * microseconds of the answer, while the news of the write is on its way. Much depends on it: over a count that it has not seen its
 * next patch fails, and over a migration that it has not seen it stops, both for up to five seconds.
 *
 * Usually it has seen a migration, which has been through webhooks, and has not seen a count.
 */
export class WriteRaces {
  readonly #races: Races;
  /** When the creations of migrations that are under way were sent; those of one pass at once. */
  readonly #sentAt: number[] = [];
  #counts = 0;

  constructor(races: Races) {
    this.#races = races;
  }

  /** Takes in what is sent, at which second. */
  note({ verb, kind }: Write, second: number): void {
    if (verb === 'create' && kind === MIGRATION) this.#sentAt.push(second);
  }

  /** Whether a change, made at a second, is seen by all before anybody does anything more. */
  isSeenAtOnce({ kind, before, after }: StoredChange, at: number): boolean {
    if (kind === MIGRATION && !before) return this.#isCreationSeen(after as unknown as Migration, at);
    if (kind !== 'KubeVirt' || !before || !after || countOf(before) === countOf(after)) return false;
    return this.#races.isTurned({ name: `count ${++this.#counts}`, at, shownBy: KUBEVIRT });
  }

  #isCreationSeen(migration: Migration, at: number): boolean {
    const sentAt = this.#sentAt.shift() ?? 0;
    if (!isWorkloadUpdateMigration(migration)) return false;
    return !this.#races.isTurned({ name: `creations sent at ${sentAt.toFixed(3)}`, at, shownBy: KUBEVIRT });
  }
}

function countOf(kubevirt: JsonObject): unknown {
  return objectAt(kubevirt, 'status').outdatedVirtualMachineInstanceWorkloads;
}
