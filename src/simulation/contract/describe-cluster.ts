import { afterAll, beforeAll } from 'vitest';
import type { Kind } from '../../fleet/fleet.ts';
import { describeCreations } from './describe-creations.ts';
import { describeDeletions } from './describe-deletions.ts';
import { describeEvictions } from './describe-evictions.ts';
import { describeModifications } from './describe-modifications.ts';
import { describePatches } from './describe-patches.ts';
import { type ClusterUnderTest, Trial } from './test-trial.ts';

export const KINDS_UNDER_TEST = [
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
  'Pod',
  'PodDisruptionBudget',
] as const satisfies readonly Kind[];

/** What every Cluster promises, whichever world is behind it. */
export function describeCluster(start: () => Promise<ClusterUnderTest>): void {
  const trial = new Trial();
  beforeAll(async () => trial.begin(await start()), 120_000);
  afterAll(trial.end);
  describeCreations(trial);
  describePatches(trial);
  describeModifications(trial);
  describeDeletions(trial);
  describeEvictions(trial);
}
