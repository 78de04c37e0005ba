import type { DrainClient } from '../../../decide/drain/clients.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { ANNOTATION, DESCHEDULER } from '../../../kubevirt/names.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { byKey } from '../../../kubevirt/order.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { Actor, ActorContext } from '../actor.ts';
import { BackgroundEvictions } from './background-evictions.ts';
import { judgePodsOf, podsToEvict } from './node-pods.ts';

export interface DeschedulerOptions {
  readonly client: DrainClient;
  readonly cycleSeconds?: number | undefined;
  readonly profile?: string | undefined;
  /** The strategy that wants a pod gone, by name, if any does. */
  readonly wants: (pod: Pod, node: Node) => string | undefined;
  /** How many evictions a cycle may make on one node, in one namespace and in all. */
  readonly limits?: EvictionLimits | undefined;
}

export interface EvictionLimits {
  readonly perNode?: number | undefined;
  readonly perNamespace?: number | undefined;
  readonly total?: number | undefined;
}

const CYCLE_SECONDS = 300;
const SWEEP_SECONDS = 600;

/** The descheduler, cycle by cycle: pods that a strategy wants gone and that its evictor may have are evicted, once. v0.36. */
export function descheduler(context: ActorContext, options: DeschedulerOptions): Actor {
  const cycles = new Descheduler(context, options);
  return { start: () => cycles.start(), stop: () => cycles.stop() };
}

class Descheduler {
  readonly #context: ActorContext;
  readonly #options: DeschedulerOptions;
  readonly #background: BackgroundEvictions;
  /** Evictions of the cycle, by what the limits are for. */
  readonly #counts = new Map<string, number>();
  #leave = (): void => {};
  #callOffCycle = (): void => {};
  #callOffSweep = (): void => {};
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(context: ActorContext, options: DeschedulerOptions) {
    this.#context = context;
    this.#options = options;
    this.#background = new BackgroundEvictions(options.client.evictor.evictsInBackground);
  }

  start(): void {
    const { cluster, clock } = this.#context;
    this.#leave = cluster.subscribe(({ kind, before, after }) => {
      if (kind !== 'Pod' || !before) return;
      this.#background.update(before.metadata.uid ?? '', after as Pod | undefined, clock.now());
    });
    if (this.#options.client.evictor.evictsInBackground) this.#sweepLater();
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#leave();
    this.#callOffCycle();
    this.#callOffSweep();
    await this.#working;
  }

  #begin(): void {
    this.#working = this.#cycle();
  }

  #sweepLater(): void {
    const { cluster, clock } = this.#context;
    this.#callOffSweep = clock.after(SWEEP_SECONDS, () => {
      this.#background.sweep((key) => cluster.fleet.get('Pod', key), clock.now());
      this.#sweepLater();
    });
  }

  async #cycle(): Promise<void> {
    const { cluster, clock } = this.#context;
    this.#counts.clear();
    for (const node of [...cluster.fleet.all('Node')].sort(byKey)) {
      for (const { pod, strategy } of this.#wanted(node)) {
        if (this.#isStopped) return;
        if (this.#background.isToBeSent(pod) && !this.#isAtLimit(pod)) await this.#evict(pod, strategy);
      }
    }
    if (this.#isStopped) return;
    this.#callOffCycle = clock.after(this.#options.cycleSeconds ?? CYCLE_SECONDS, () => this.#begin());
  }

  #wanted(node: Node): { readonly pod: Pod; readonly strategy: string }[] {
    const { client, wants } = this.#options;
    const { cluster, clock } = this.#context;
    const judged = judgePodsOf(cluster.fleet, node.metadata.name, client, clock.now());
    return podsToEvict(judged).flatMap((pod) => {
      const strategy = wants(pod, node);
      return strategy === undefined ? [] : { pod, strategy };
    });
  }

  async #evict(pod: Pod, strategy: string): Promise<void> {
    const { cluster, clock } = this.#context;
    const { client, profile = 'default' } = this.#options;
    const { name, namespace = '' } = pod.metadata;
    const annotations = {
      ...client.annotations,
      [ANNOTATION.requestedBy]: DESCHEDULER.requestedBy,
      reason: `triggered by ${profile}/${strategy}: ${strategy}`,
    };
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace, annotations } };
    const answer = await cluster.evict({ namespace, pod: name, body });
    const counts = this.#background.note(pod, keyOf(pod), answer, clock.now());
    if (counts !== 'failed') this.#count(pod);
    if (counts === 'evicted') cluster.recordEvent(evictedEvent(pod, strategy), DESCHEDULER.requestedBy);
  }

  #isAtLimit(pod: Pod): boolean {
    const { perNode, perNamespace, total } = this.#options.limits ?? {};
    const [node, namespace, all] = limitedBy(pod).map((key) => this.#counts.get(key) ?? 0);
    const isAt = (count = 0, most = Number.POSITIVE_INFINITY) => count >= most;
    return isAt(node, perNode) || isAt(namespace, perNamespace) || isAt(all, total);
  }

  #count(pod: Pod): void {
    for (const key of limitedBy(pod)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

function limitedBy({ metadata, spec }: Pod): string[] {
  return [`node ${spec?.nodeName}`, `namespace ${metadata.namespace}`, 'all'];
}

function evictedEvent({ metadata, spec }: Pod, strategy: string): EventDraft {
  const { namespace, name } = metadata;
  const message = `pod eviction from ${spec?.nodeName} node by ${DESCHEDULER.requestedBy}`;
  return { kind: 'Pod', namespace, name, type: 'Normal', reason: strategy, message };
}
