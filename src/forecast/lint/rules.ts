import { drainTaintLeft, markLeftBehind } from './evacuation-rules.ts';
import type { LintRule } from './finding.ts';
import { hotplugPodsUnprotected, migrationsKeepFailing, twoLaunchers } from './migration-rules.ts';
import {
  batchOutOfRange,
  severalKubeVirts,
  unknownEvictionStrategy,
  unknownUpdateMethod,
} from './settings-rules.ts';
import { runningAndRunStrategy, strategyNotInEffect } from './strategy-rules.ts';

/** Every rule, in the order of the codes. A new rule takes the next free code; a code that is given up is never used again. */
export const RULES: readonly LintRule[] = [
  unknownEvictionStrategy,
  unknownUpdateMethod,
  batchOutOfRange,
  severalKubeVirts,
  strategyNotInEffect,
  runningAndRunStrategy,
  markLeftBehind,
  drainTaintLeft,
  migrationsKeepFailing,
  twoLaunchers,
  hotplugPodsUnprotected,
];
