import { budgetNeverAllows, leftoverBudgets, severalBudgets } from './budget-rules.ts';
import { drainTaintLeft, markLeftBehind } from './evacuation-rules.ts';
import { evictWithoutStrategy, updaterNeverRests } from './evict-method-rules.ts';
import { drainRefused, restartsUnannounced, staysOffAfterEviction } from './eviction-rules.ts';
import { externalWithoutController, healthCheckNeverActs, workerStaysFailed } from './external-rules.ts';
import type { LintRule } from './finding.ts';
import { migrationsKeepFailing, twoLaunchers } from './migration-rules.ts';
import { noSecondNode, pinnedButMigratable, pinnedHoldSlots, quotaLeavesNoRoom } from './placement-rules.ts';
import {
  batchOutOfRange,
  severalKubeVirts,
  unknownEvictionStrategy,
  unknownUpdateMethod,
} from './settings-rules.ts';
import { hotplugPodsUnprotected, sharedDiskOnOneNode, volumeUpdateInFlight } from './storage-rules.ts';
import { runningAndRunStrategy, strategyNotInEffect } from './strategy-rules.ts';
import { launcherImageUnknown, updateGateClosed, versionOutOfRange } from './update-rules.ts';
import { liveUpdatesWait, outdatedStays } from './waiting-rules.ts';

/** Every rule, in the order of the codes. A new rule takes the next free code; a code that is given up is never used again. */
export const RULES: readonly LintRule[] = [
  unknownEvictionStrategy,
  unknownUpdateMethod,
  batchOutOfRange,
  severalKubeVirts,
  updateGateClosed,
  versionOutOfRange,
  liveUpdatesWait,
  evictWithoutStrategy,
  updaterNeverRests,
  outdatedStays,
  launcherImageUnknown,
  strategyNotInEffect,
  drainRefused,
  staysOffAfterEviction,
  runningAndRunStrategy,
  restartsUnannounced,
  noSecondNode,
  pinnedButMigratable,
  pinnedHoldSlots,
  sharedDiskOnOneNode,
  quotaLeavesNoRoom,
  budgetNeverAllows,
  severalBudgets,
  leftoverBudgets,
  markLeftBehind,
  drainTaintLeft,
  migrationsKeepFailing,
  twoLaunchers,
  volumeUpdateInFlight,
  hotplugPodsUnprotected,
  externalWithoutController,
  workerStaysFailed,
  healthCheckNeverActs,
];
