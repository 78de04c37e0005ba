import type { NodeTimes } from '../../simulation/actors/node/options.ts';

/** Steps of nodes with which a test need not wait. */
export const HASTE: Partial<NodeTimes> = {
  podStartSeconds: 0.1,
  podStopSeconds: 0.1,
  targetPrepareSeconds: 0.1,
  copyStartSeconds: 0.1,
  domainSeenSeconds: 0.1,
  pollSeconds: 0,
};
