import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** Few migrations at a time. */
export function caps(draws: Draws, trial: Trial): Trial {
  const { kubevirt = {} } = trial.cluster;
  const migrations = {
    parallelMigrationsPerCluster: draws.pick(0, 1, 1, 2, 5),
    parallelOutboundMigrationsPerNode: draws.pick(0, 1, 1, 2),
  };
  return { ...trial, cluster: { ...trial.cluster, kubevirt: { ...kubevirt, migrations } } };
}
