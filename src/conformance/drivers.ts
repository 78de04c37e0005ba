import { evacuationDriver } from './evacuation.ts';
import { evictionStrategyDefaultDriver, evictionStrategyValidationDriver } from './eviction-strategy.ts';
import { liveMigratableDriver } from './live-migratable.ts';
import { migrationUtilsDriver } from './migration-utils.ts';
import { nonEvictableDriver } from './non-evictable.ts';
import { podEvictionDriver, podEvictionHttpDriver } from './pod-eviction.ts';
import { runStrategyDriver } from './run-strategy.ts';
import { startBackoffDriver } from './start-backoff.ts';
import type { VectorDriver } from './vectors.ts';
import { workloadUpdaterDriver } from './workload-updater.ts';
import { workloadUpdaterHandlersDriver } from './workload-updater-handlers.ts';
import { workloadUpdaterStepsDriver } from './workload-updater-steps.ts';

/** Every kind of vector that Drover knows, one driver each. */
export const VECTOR_DRIVERS: readonly VectorDriver[] = [
  evictionStrategyDefaultDriver,
  evictionStrategyValidationDriver,
  evacuationDriver,
  migrationUtilsDriver,
  nonEvictableDriver,
  runStrategyDriver,
  startBackoffDriver,
  podEvictionDriver,
  podEvictionHttpDriver,
  liveMigratableDriver,
  workloadUpdaterDriver,
  workloadUpdaterStepsDriver,
  workloadUpdaterHandlersDriver,
];
