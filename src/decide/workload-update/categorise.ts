import { METHOD } from '../../kubevirt/names.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { isMigratable, isMigrating, isRunning } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { type Behavior, resultOf, type Table } from '../rules.ts';
import { hasVolumesToMigrate } from '../volume-update.ts';
import * as read from './category-evidence.ts';
import { outdated, requiresMigration, shouldAbort } from './staleness.ts';

export interface CategoryInput {
  readonly vmi: Vmi;
  /** The image that virt-controller starts launchers with (`--launcher-image`). */
  readonly launcherImage: string;
  /** `workloadUpdateMethods` as written; only `LiveMigrate` and `Evict`, spelt so, do anything. */
  readonly methods: readonly string[];
  /** Migrations of this VMI that are neither Succeeded nor Failed, whoever made them. */
  readonly unfinishedMigrations: readonly Migration[];
  readonly now: Instant;
  /** `exact` where absent. */
  readonly behavior?: Behavior | undefined;
}

/** What a pass does about one VMI, and whether the VMI counts in the number of outdated ones. */
export type Category =
  | { readonly action: 'ignore' | 'abort'; readonly counted: false }
  | { readonly action: 'migrate' | 'evict'; readonly counted: true }
  /** Counted, and left alone until what it waits for has changed. */
  | {
      readonly action: 'wait';
      readonly counted: true;
      readonly waitsFor: 'migration' | 'unfinishedMigration' | 'method';
    };

const FILE = 'kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go';
const IGNORE: Category = { action: 'ignore', counted: false };
const ABORT: Category = { action: 'abort', counted: false };
const MIGRATE: Category = { action: 'migrate', counted: true };
const EVICT: Category = { action: 'evict', counted: true };
const WAIT_FOR_MIGRATION: Category = { action: 'wait', counted: true, waitsFor: 'migration' };
const WAIT_FOR_OBJECT: Category = { action: 'wait', counted: true, waitsFor: 'unfinishedMigration' };
const WAIT_FOR_METHOD: Category = { action: 'wait', counted: true, waitsFor: 'method' };

/**
 * What the workload updater does about a VMI: workload-update §6 of the spec. The count includes VMIs with a current
 * launcher that need a migration for a pending change; the eviction strategy is not looked at.
 */
export const categoryTable: Table<CategoryInput, Category> = [
  {
    name: 'NotRunning',
    asks: 'the VMI is not running',
    source: `${FILE}:391-396`,
    when: ({ vmi }) => !isRunning(vmi),
    reads: read.phase,
    then: () => IGNORE,
  },
  {
    name: 'BeingDeleted',
    asks: 'the VMI is being deleted',
    source: `${FILE}:391-396`,
    when: ({ vmi }) => vmi.metadata.deletionTimestamp !== undefined,
    reads: read.deletion,
    then: () => IGNORE,
  },
  {
    name: 'ChangeWithdrawn',
    asks: "the launcher is current, and an unfinished migration of the updater's own has lost its purpose",
    source: `${FILE}:349-364,397-399`,
    when: (input) =>
      !isOutdated(input) && shouldAbort(input.vmi, input.unfinishedMigrations, behaviorOf(input)),
    reads: (input) => [...read.images(input), ...read.ownMigrations(input), ...read.purpose(input)],
    then: () => ABORT,
  },
  {
    name: 'LauncherImageUnknown',
    asks: 'the image of the launcher is not known, and no pending change needs a migration now',
    source: `${FILE}:301-318,400-401`,
    when: (input) => !input.vmi.status?.launcherContainerImageVersion && !needsMigration(input),
    reads: read.images,
    then: () => IGNORE,
  },
  {
    name: 'UpToDate',
    asks: 'the launcher is current, and no pending change needs a migration now',
    source: `${FILE}:301-347,400-401`,
    when: (input) => !isOutdated(input) && !needsMigration(input),
    reads: read.images,
    then: () => IGNORE,
  },
  {
    name: 'Migrating',
    asks: 'a migration of the VMI is under way',
    source: `${FILE}:403-412`,
    when: ({ vmi, now }) => isMigrating(vmi, now),
    reads: read.migrationState,
    then: () => WAIT_FOR_MIGRATION,
  },
  {
    name: 'UnfinishedMigration',
    asks: 'there is an unfinished migration object for the VMI',
    source: `${FILE}:369-375,411-413`,
    when: ({ unfinishedMigrations }) => unfinishedMigrations.length > 0,
    reads: read.migrations,
    then: () => WAIT_FOR_OBJECT,
  },
  {
    name: 'LiveMigratable',
    asks: 'method LiveMigrate is set, and the VMI can live-migrate',
    source: `${FILE}:416-423`,
    when: ({ methods, vmi }) => methods.includes(METHOD.liveMigrate) && isMigratable(vmi),
    reads: (input) => [...read.staleness(input), ...read.methods(input), ...read.migratability(input)],
    then: () => MIGRATE,
  },
  {
    name: 'VolumesMigratable',
    asks: 'method LiveMigrate is set, and the VMI moves volumes in a way that a migration can carry',
    source: `${FILE}:416-423`,
    when: ({ methods, vmi }) => methods.includes(METHOD.liveMigrate) && hasVolumesToMigrate(vmi),
    reads: (input) => [...read.staleness(input), ...read.methods(input), ...read.volumes(input)],
    then: () => MIGRATE,
  },
  {
    name: 'MethodEvict',
    asks: 'method Evict is set',
    source: `${FILE}:424-425`,
    when: ({ methods }) => methods.includes(METHOD.evict),
    reads: (input) => [...read.staleness(input), ...read.methods(input), ...read.migratability(input)],
    then: () => EVICT,
  },
  {
    name: 'NoMethodApplies',
    asks: 'otherwise no method that is set applies to the VMI',
    source: `${FILE}:419-426`,
    when: () => true,
    reads: (input) => [...read.staleness(input), ...read.methods(input), ...read.migratability(input)],
    then: () => WAIT_FOR_METHOD,
  },
];

/**
 * The category alone, for passes over many VMIs: the same rules, nothing built that the answer does not need.
 *
 * Promise: equals `resultOf(categoryTable, input)`.
 */
export function categorise(input: CategoryInput): Category {
  return resultOf(categoryTable, input);
}

function behaviorOf(input: CategoryInput): Behavior {
  return input.behavior ?? 'exact';
}

function isOutdated(input: CategoryInput): boolean {
  return outdated(input.vmi, input.launcherImage);
}

function needsMigration(input: CategoryInput): boolean {
  return requiresMigration(input.vmi, input.now, behaviorOf(input));
}
