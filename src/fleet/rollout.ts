import type { Behavior } from '../decide/rules.ts';
import { type Category, categorise } from '../decide/workload-update/categorise.ts';
import { type Survey, vmiKeyOf } from '../decide/workload-update/survey.ts';
import { addToGroup } from '../kubevirt/group-by.ts';
import type { Migration, Vmi } from '../kubevirt/objects.ts';
import {
  isMigrationFinal,
  isMigrationRunning,
  isRefusedByQuota,
  keyOf,
  migratingChangesAt,
} from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import { DenseList } from './dense-list.ts';
import type { Fleet } from './fleet.ts';

/** What the categories depend on besides VMIs and migrations. */
export interface RolloutSettings {
  readonly launcherImage: string;
  readonly methods: readonly string[];
  readonly behavior: Behavior;
}

const NONE: readonly Migration[] = [];
const ACTIONS = ['migrate', 'evict', 'abort'] as const;

/**
 * The survey of a fleet, kept up to date: each event on a VMI or a migration costs O(1), a reading costs nothing.
 *
 * Promise: `survey(now)` has the members and counts of `surveyVmis` on the objects of the fleet. The order of its lists
 * follows from the order of the events alone and means nothing; KubeVirt's own is that of a Go map. Sort where order is seen.
 */
export class Rollout {
  readonly #fleet: Fleet;
  #settings: RolloutSettings;
  /** The instant that the categories are of, until the next reading. */
  #now: Instant;
  readonly #outdated = new DenseList<Vmi>();
  readonly #acted = {
    migrate: new DenseList<Vmi>(),
    evict: new DenseList<Vmi>(),
    abort: new DenseList<Vmi>(),
  };
  readonly #unfinishedByVmi = new Map<string, Migration[]>();
  #unfinished = 0;
  #active = 0;
  #refusedByQuota = 0;
  /** VMIs whose category time alone may change, and when. Hardly any: only clocks that differ write instants ahead. */
  readonly #changesAt = new Map<string, Instant>();
  #nextChangeAt: Instant = Number.POSITIVE_INFINITY;
  /** Follows the fleet no more: what the picture shows is of the past from then on. */
  readonly close: () => void;

  /** Looks at every VMI and migration of the fleet once, and follows it from then on. `now`: about when the first reading will be. */
  constructor(fleet: Fleet, settings: RolloutSettings, now: Instant) {
    this.#fleet = fleet;
    this.#settings = settings;
    this.#now = now;
    const leaveMigrations = fleet.follow('VirtualMachineInstanceMigration', {
      add: (migration) => this.#addMigration(migration),
      replace: (held, migration) => this.#replaceMigration(held, migration),
      delete: (migration) => this.#deleteMigration(migration),
    });
    const leaveVmis = fleet.follow('VirtualMachineInstance', {
      add: (vmi, key) => this.#look(vmi, key),
      replace: (_, vmi, key) => this.#look(vmi, key),
      delete: (_, key) => this.#forget(key),
    });
    this.close = () => {
      leaveMigrations();
      leaveVmis();
    };
  }

  /** Takes other settings, at the cost of a look at every VMI; equal ones cost nothing. */
  configure(settings: RolloutSettings): void {
    const same = isSame(this.#settings, settings);
    this.#settings = settings;
    if (!same) this.#lookAtAll();
  }

  /**
   * The picture at an instant. Its lists are the rollout's own and change with the next event: read them at once, or copy them.
   *
   * Costs a look at those VMIs that the time since the last reading may have changed, usually none. An instant before
   * the last one costs a look at every VMI.
   */
  survey(now: Instant): Survey {
    this.#advanceTo(now);
    return {
      outdated: this.#outdated.members,
      migratable: this.#acted.migrate.members,
      evictable: this.#acted.evict.members,
      abortable: this.#acted.abort.members,
      activeMigrations: this.#active,
      pendingMigrations: this.#unfinished - this.#active,
      refusedByQuota: this.#refusedByQuota,
      unfinishedByVmi: this.#unfinishedByVmi,
    };
  }

  /** When a reading may differ from the last one though nothing has happened; undefined: never. */
  get changesAt(): Instant | undefined {
    return Number.isFinite(this.#nextChangeAt) ? this.#nextChangeAt : undefined;
  }

  #advanceTo(now: Instant): void {
    const goesBack = now < this.#now;
    this.#now = now;
    if (goesBack) this.#lookAtAll();
    else if (now >= this.#nextChangeAt) this.#lookAtDue();
  }

  #lookAtDue(): void {
    const due = [...this.#changesAt].filter(([, at]) => at <= this.#now);
    for (const [key] of due) this.#lookAtVmi(key);
    this.#nextChangeAt = Number.POSITIVE_INFINITY;
    for (const at of this.#changesAt.values()) this.#nextChangeAt = Math.min(this.#nextChangeAt, at);
  }

  #lookAtAll(): void {
    for (const list of [this.#outdated, ...Object.values(this.#acted)]) list.clear();
    this.#changesAt.clear();
    this.#nextChangeAt = Number.POSITIVE_INFINITY;
    for (const vmi of this.#fleet.all('VirtualMachineInstance')) this.#look(vmi, keyOf(vmi));
  }

  #look(vmi: Vmi, key: string): void {
    const { counted, action } = this.#categoryOf(vmi, key);
    enter(this.#outdated, counted, key, vmi);
    for (const name of ACTIONS) enter(this.#acted[name], action === name, key, vmi);
    const changesAt = migratingChangesAt(vmi, this.#now);
    if (changesAt === undefined) {
      this.#changesAt.delete(key);
      return;
    }
    this.#changesAt.set(key, changesAt);
    this.#nextChangeAt = Math.min(this.#nextChangeAt, changesAt);
  }

  #forget(key: string): void {
    this.#outdated.delete(key);
    for (const name of ACTIONS) this.#acted[name].delete(key);
    this.#changesAt.delete(key);
  }

  #categoryOf(vmi: Vmi, key: string): Category {
    const unfinishedMigrations = this.#unfinishedByVmi.get(key) ?? NONE;
    const { launcherImage, methods, behavior } = this.#settings;
    return categorise({ vmi, launcherImage, methods, unfinishedMigrations, now: this.#now, behavior });
  }

  #addMigration(migration: Migration): void {
    if (isMigrationFinal(migration)) return;
    const key = vmiKeyOf(migration);
    addToGroup(this.#unfinishedByVmi, key, migration);
    this.#count(migration, 1);
    this.#lookAtVmi(key);
  }

  /** One look at the VMI, where neither is over, as most are not. */
  #replaceMigration(held: Migration, migration: Migration): void {
    const key = vmiKeyOf(migration);
    if (isMigrationFinal(held) || isMigrationFinal(migration) || vmiKeyOf(held) !== key) {
      this.#deleteMigration(held);
      this.#addMigration(migration);
      return;
    }
    const unfinished = this.#unfinishedByVmi.get(key) ?? [];
    this.#unfinishedByVmi.set(
      key,
      unfinished.map((other) => (other === held ? migration : other)),
    );
    this.#count(held, -1);
    this.#count(migration, 1);
    this.#lookAtVmi(key);
  }

  #deleteMigration(migration: Migration): void {
    if (isMigrationFinal(migration)) return;
    const key = vmiKeyOf(migration);
    const others = (this.#unfinishedByVmi.get(key) ?? []).filter((other) => other !== migration);
    if (others.length > 0) this.#unfinishedByVmi.set(key, others);
    else this.#unfinishedByVmi.delete(key);
    this.#count(migration, -1);
    this.#lookAtVmi(key);
  }

  #count(migration: Migration, change: 1 | -1): void {
    this.#unfinished += change;
    if (isMigrationRunning(migration)) this.#active += change;
    if (isRefusedByQuota(migration)) this.#refusedByQuota += change;
  }

  #lookAtVmi(key: string): void {
    const vmi = this.#fleet.get('VirtualMachineInstance', key);
    if (vmi) this.#look(vmi, key);
  }
}

/** Has the VMI in the list from now on, or not. */
function enter(list: DenseList<Vmi>, belongs: boolean, key: string, vmi: Vmi): void {
  if (belongs) list.put(key, vmi);
  else list.delete(key);
}

function isSame(before: RolloutSettings, after: RolloutSettings): boolean {
  const { launcherImage, behavior, methods } = after;
  return (
    before.launcherImage === launcherImage &&
    before.behavior === behavior &&
    before.methods.length === methods.length &&
    before.methods.every((method, i) => method === methods[i])
  );
}
