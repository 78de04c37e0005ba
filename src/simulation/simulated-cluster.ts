import type { Log, Metrics, Random } from '../controllers/ports.ts';
import type { Behavior } from '../decide/rules.ts';
import type { Kind } from '../fleet/fleet.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { Actor, ActorContext } from './actors/actor.ts';
import { virtApiAdmission } from './admission/memory-admission.ts';
import { withQuotas } from './admission/quota-admission.ts';
import { evictionWebhook } from './eviction-webhook.ts';
import { MemoryApi } from './memory-api.ts';
import { MemoryCluster, type MemoryClusterOptions, type RecordedEvent } from './memory-cluster.ts';
import { OwnerCollector } from './owner-collector.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface SimulatedClusterOptions {
  readonly startAt: Instant;
  /** The same seed gives the same course. */
  readonly seed: number;
  /** How virt-api's webhooks behave. */
  readonly behavior: Behavior;
  /** What there is at the beginning, read through the schemas. */
  readonly objects: Iterable<object>;
  /** How long after a write the actors learn of it; at once where absent. */
  readonly lagSeconds?: MemoryClusterOptions['lagSeconds'];
  /** How long a write is under way; no time where absent. */
  readonly latencySeconds?: MemoryClusterOptions['latencySeconds'];
  readonly onEvent: (event: RecordedEvent) => void;
  readonly onEviction?: MemoryClusterOptions['onEviction'];
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A cluster in memory and in virtual time: the API server with its collector and KubeVirt's webhook, one client that all actors share. */
export class SimulatedCluster {
  readonly clock: VirtualClock;
  readonly api: MemoryApi;
  readonly cluster: MemoryCluster;
  readonly #options: SimulatedClusterOptions;
  readonly #actors: Actor[] = [];

  constructor(options: SimulatedClusterOptions) {
    const { startAt, behavior, objects, lagSeconds, latencySeconds, onEvent, onEviction } = options;
    this.#options = options;
    this.clock = new VirtualClock(startAt);
    const admission = withQuotas(virtApiAdmission(this.clock, behavior));
    this.api = new MemoryApi(this.clock, this.chance('names'), { admission });
    // Before the first object, since it has to know them all.
    new OwnerCollector(this.api);
    for (const object of objects) this.api.put((object as { kind: Kind }).kind, object);
    this.cluster = new MemoryCluster({
      ...{ api: this.api, clock: this.clock, onEvent, onEviction, trusted: true },
      evictionWebhook: evictionWebhook(this.api, behavior),
      ...{ lagSeconds, latencySeconds },
    });
  }

  /** Chance for one purpose: what one actor draws changes nothing for the others. */
  chance(purpose: string): Random {
    let mixed = this.#options.seed;
    for (const letter of purpose) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) | 0;
    return seededRandom(mixed);
  }

  contextFor(name: string): ActorContext {
    const { log, metrics } = this.#options;
    return { cluster: this.cluster, clock: this.clock, random: this.chance(name), log, metrics };
  }

  start(...actors: Actor[]): void {
    this.#actors.push(...actors);
    for (const actor of actors) actor.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#actors.map((actor) => actor.stop()));
    this.cluster.close();
  }
}
