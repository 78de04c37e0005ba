import type { Behavior } from '../../decide/rules.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { BatchMemory } from '../batch-memory.ts';
import type { DeedsInHand } from '../in-hand.ts';
import type { JournalSink } from '../journal.ts';
import type { Clock, Cluster, Log, Metrics, Random } from '../ports.ts';
import type { StrategySource } from '../strategy.ts';

export interface WorkloadUpdateOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  /** The order in which VMIs get their turn, for a replay. Absent: as `random` draws; evictions of `intended` as the fleet lists. */
  readonly order?: ((vmis: readonly Vmi[]) => readonly Vmi[]) | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly journal?: JournalSink | undefined;
  readonly behavior: Behavior;
  /** Asked in every pass, so that it may change. */
  readonly strategy: () => StrategySource;
  /** The image that launchers are started with; undefined while it is not known: nothing is done then. */
  readonly launcherImage: () => string | undefined;
  /** Shared by all controllers of the process. */
  readonly inHand: DeedsInHand;
  readonly memory: BatchMemory;
  /** Send priorities with migrations, which the admission takes from KubeVirt's own controller account only. Never with an own strategy. */
  readonly sendsPriority?: boolean | undefined;
  /** Whether a virt-controller runs beside: it counts in Drover's place, and acts if the CR has methods. None does where absent. */
  readonly isBuiltInRunning?: (() => boolean) | undefined;
}
