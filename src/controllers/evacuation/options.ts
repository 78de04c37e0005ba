import type { Behavior } from '../../decide/rules.ts';
import type { DeedsInHand } from '../in-hand.ts';
import type { JournalSink } from '../journal.ts';
import type { Clock, Cluster, Log, Metrics } from '../ports.ts';

export interface EvacuationOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly journal?: JournalSink | undefined;
  readonly behavior: Behavior;
  /** Shared by all controllers of the process. */
  readonly inHand: DeedsInHand;
  /** Send priorities with migrations, which the admission takes from KubeVirt's own controller account only. */
  readonly sendsPriority?: boolean | undefined;
}
