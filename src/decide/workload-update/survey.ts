import { groupBy } from '../../kubevirt/group-by.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { isMigrationFinal, isMigrationRunning, isRefusedByQuota, keyOf } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Behavior } from '../rules.ts';
import { categorise } from './categorise.ts';

export interface SurveyInput {
  /** Every VMI, in the order in which they are to be considered; ties of the whole pass follow it. */
  readonly vmis: Iterable<Vmi>;
  /** Every migration object; finished ones are passed over. */
  readonly migrations: Iterable<Migration>;
  readonly launcherImage: string;
  readonly methods: readonly string[];
  readonly now: Instant;
  readonly behavior: Behavior;
}

/** All VMIs by what a pass would do about them, each list in the given order; made whether or not the gates are open. */
export interface Survey {
  /** All that count as outdated, also those that wait. */
  readonly outdated: readonly Vmi[];
  readonly migratable: readonly Vmi[];
  readonly evictable: readonly Vmi[];
  /** Those whose own migrations have lost their purpose. */
  readonly abortable: readonly Vmi[];
  /** Unfinished migrations of all VMIs that take a place in the cap. */
  readonly activeMigrations: number;
  /** Unfinished migrations of all VMIs that take no place yet. */
  readonly pendingMigrations: number;
  /** Of these, how many a quota keeps waiting, and no place. */
  readonly refusedByQuota: number;
  /** Unfinished migrations by `namespace/name` of their VMI. */
  readonly unfinishedByVmi: ReadonlyMap<string, readonly Migration[]>;
}

const NONE: readonly Migration[] = [];

/** Looks at every VMI once (workload-update §6 of the spec), in time proportional to VMIs plus migrations. */
export function surveyVmis(input: SurveyInput): Survey {
  const { launcherImage, methods, now, behavior } = input;
  const unfinished = [...input.migrations].filter((migration) => !isMigrationFinal(migration));
  const unfinishedByVmi = groupBy(unfinished, vmiKeyOf);
  const names = new Set(unfinished.map(vmiNameOf));
  const outdated: Vmi[] = [];
  const acted = { migrate: [] as Vmi[], evict: [] as Vmi[], abort: [] as Vmi[] };
  for (const vmi of input.vmis) {
    // Few VMIs have migrations; to look up a name that is at hand is much cheaper than to join and look up a key.
    const unfinishedMigrations = (names.has(vmi.metadata.name) && unfinishedByVmi.get(keyOf(vmi))) || NONE;
    const category = categorise({ vmi, launcherImage, methods, unfinishedMigrations, now, behavior });
    if (category.counted) outdated.push(vmi);
    if (category.action !== 'ignore' && category.action !== 'wait') acted[category.action].push(vmi);
  }
  const activeMigrations = unfinished.filter(isMigrationRunning).length;
  return {
    outdated,
    migratable: acted.migrate,
    evictable: acted.evict,
    abortable: acted.abort,
    activeMigrations,
    pendingMigrations: unfinished.length - activeMigrations,
    refusedByQuota: unfinished.filter(isRefusedByQuota).length,
    unfinishedByVmi,
  };
}

/** By `spec.vmiName` alone; the label with the name does not count. */
function vmiNameOf(migration: Migration): string {
  return migration.spec?.vmiName ?? '';
}

/** `namespace/name` of the VMI that a migration is for, as the updater reads it. */
export function vmiKeyOf(migration: Migration): string {
  return keyOf({ metadata: { namespace: migration.metadata.namespace, name: vmiNameOf(migration) } });
}
