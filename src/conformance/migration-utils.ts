import { effectiveStrategy, isMigratableOnEviction } from '../decide/eviction-strategy.ts';
import {
  hasMigrationFailed,
  hasRunningMigration,
  runningMigrations,
  unfinishedMigrations,
  workloadUpdateMigrationsOf,
} from '../decide/migration/inventory.ts';
import { priorityOf } from '../decide/migration/queue.ts';
import type { Settings } from '../decide/settings.ts';
import { type Migration, migrationSchema, type Vmi, vmiSchema } from '../kubevirt/objects.ts';
import { isMigrating, isMigrationFinal, isMigrationRunning, keyOf } from '../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../kubevirt/time.ts';
import { differences } from './compare.ts';
import { onlyFields, readList, readSettings } from './input.ts';
import type { VectorDriver } from './vectors.ts';

interface Asked {
  readonly vmi: Vmi | undefined;
  readonly migration: Migration | undefined;
  readonly migrations: readonly Migration[];
  readonly settings: Settings;
  readonly now: Instant;
}

const FUNCTIONS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  IsMigrating: (asked) => ({ result: asked.vmi !== undefined && isMigrating(asked.vmi, asked.now) }),
  MigrationFailed: (asked) => ({ result: asked.vmi !== undefined && hasMigrationFailed(asked.vmi) }),
  VMIEvictionStrategy: (asked) => ({ result: effectiveStrategy(asked.vmi, asked.settings) }),
  VMIMigratableOnEviction: (asked) => ({
    result: isMigratableOnEviction(given(asked.vmi), asked.settings),
  }),
  PriorityFromMigration: (asked) => ({ result: priorityOf(given(asked.migration)) }),
  ActiveMigrationExistsForVMI: (asked) => ({
    result: hasRunningMigration(given(asked.vmi), asked.migrations),
  }),
  ListWorkloadUpdateMigrations: (asked) => ({
    result: keysOf(workloadUpdateMigrationsOf(given(asked.vmi), asked.migrations)),
  }),
  ListUnfinishedMigrations: (asked) => ({
    unfinished: keysOf(unfinishedMigrations(asked.migrations)),
    running: keysOf(runningMigrations(asked.migrations)),
  }),
  migrationPhase: (asked) => ({
    isFinal: isMigrationFinal(given(asked.migration)),
    isRunning: isMigrationRunning(given(asked.migration)),
  }),
};

export const migrationUtilsDriver: VectorDriver = {
  family: 'migration-utils',
  run: ({ input, output }) => {
    onlyFields(input, ['now', 'function', 'vmi', 'migration', 'migrations', 'clusterConfiguration']);
    const ask = FUNCTIONS[String(input.function)];
    if (!ask) throw new Error(`no such function: ${input.function}`);
    return differences(output, ask(read(input)));
  },
};

function read(input: Record<string, unknown>): Asked {
  return {
    vmi: readList(vmiSchema, input.vmi ? [input.vmi] : [])[0],
    migration: readList(migrationSchema, input.migration ? [input.migration] : [])[0],
    migrations: readList(migrationSchema, input.migrations),
    settings: readSettings(input.clusterConfiguration),
    now: given(parseInstant(String(input.now))),
  };
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the vector lacks what its function takes');
  return value;
}

function keysOf(migrations: readonly Migration[]): string[] {
  return migrations.map(keyOf).sort();
}
