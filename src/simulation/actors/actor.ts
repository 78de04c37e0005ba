import { Controller, type ReconcileResult } from '../../controllers/controller.ts';
import type { Change, Clock, Cluster, Log, Metrics, Random } from '../../controllers/ports.ts';
import { defaultRateLimiter } from '../../controllers/rate-limit.ts';
import { WorkQueue } from '../../controllers/work-queue.ts';
import type { Fleet } from '../../fleet/fleet.ts';

/** Somebody who stands in for a part of KubeVirt or of Kubernetes, on the ports, in memory or on a real API server. */
export interface Actor {
  /** Follows the cluster from now on, and looks at all that is there already. */
  start(): void;
  /** Resolves when what is in hand has ended; after it nothing is written any more. */
  stop(): Promise<void>;
}

/** The world of an actor. */
export interface ActorContext {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface KeyedActorOptions {
  /** As it stands in logs and metrics. */
  readonly name: string;
  readonly context: ActorContext;
  /** The keys that a change concerns; none: it is not the actor's business. */
  keysOf(change: Change): Iterable<string>;
  /** The keys to begin with. */
  allKeys(fleet: Fleet): Iterable<string>;
  /** As `Reconciler` says. */
  reconcile(key: string): Promise<ReconcileResult>;
  /** How many keys are worked on at once; one where absent, which keeps runs in memory in one order. */
  readonly workers?: number | undefined;
}

/** An actor that brings one key after another nearer to what it should be. */
export function keyedActor(options: KeyedActorOptions): Actor {
  const { name, context, keysOf, allKeys, reconcile, workers = 1 } = options;
  const { cluster, clock, log, metrics } = context;
  const queue = new WorkQueue(clock, defaultRateLimiter());
  const controllers = Array.from(
    { length: workers },
    () => new Controller({ name, reconciler: { reconcile }, queue, cluster, clock, log, metrics }),
  );
  let leave = (): void => {};
  return {
    start() {
      leave = cluster.subscribe((change) => {
        for (const key of keysOf(change)) queue.add(key);
      });
      for (const key of allKeys(cluster.fleet)) queue.add(key);
      for (const controller of controllers) controller.start();
    },
    async stop() {
      leave();
      await Promise.all(controllers.map((controller) => controller.stop()));
    },
  };
}
