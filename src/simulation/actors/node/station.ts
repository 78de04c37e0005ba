import type { Clock, Cluster } from '../../../controllers/ports.ts';
import type { ApiResult } from '../../../decide/api-result.ts';
import { domainPhaseTable } from '../../../decide/domain-phase.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { HANDLER_EVENT, NODE_LABEL_PREFIX } from '../../../kubevirt/names.ts';
import type { ClusterConfiguration, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { Instant } from '../../../kubevirt/time.ts';
import type { BehaviorOf } from '../../guests/behavior.ts';
import type { CopyNetwork } from '../../guests/copy-network.ts';
import type { HandlerPlans } from './handler-plans.ts';
import { type GuestFact, lateSeconds, type NodeTimes } from './options.ts';
import type { Plans } from './plans.ts';
import type { StopNotes } from './stop-notes.ts';
import { endEvents, ended } from './vmi-writes.ts';

export interface StationOptions {
  readonly node: string;
  readonly cluster: Cluster;
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly times: NodeTimes;
  readonly behaviorOf: BehaviorOf;
  readonly copies: CopyNetwork;
  readonly notes: StopNotes;
  readonly recordsEvents: boolean;
  readonly tell: (fact: GuestFact) => void;
  /** Whether the machine of a node is down. */
  readonly isNodeDown: (node: string) => boolean;
}

/** One node, as kubelet and virt-handler on it see the world and act upon it. */
export class Station {
  readonly node: string;
  readonly cluster: Cluster;
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly times: NodeTimes;
  readonly behaviorOf: BehaviorOf;
  readonly copies: CopyNetwork;
  readonly notes: StopNotes;
  readonly tell: (fact: GuestFact) => void;
  readonly isNodeDown: (node: string) => boolean;
  /** Of pods. */
  readonly kubeletPlans: Plans;
  /** Of VMIs. */
  readonly handlerPlans: HandlerPlans;
  readonly #recordsEvents: boolean;
  /** When virt-handler was last down; it still is where there is no end. */
  #handlerDown: { readonly from: Instant; readonly to: Instant | undefined } | undefined;

  constructor(options: StationOptions, kubeletPlans: Plans, handlerPlans: HandlerPlans) {
    this.node = options.node;
    this.cluster = options.cluster;
    this.fleet = options.fleet;
    this.clock = options.clock;
    this.times = options.times;
    this.behaviorOf = options.behaviorOf;
    this.copies = options.copies;
    this.notes = options.notes;
    this.tell = options.tell;
    this.isNodeDown = options.isNodeDown;
    this.#recordsEvents = options.recordsEvents;
    this.kubeletPlans = kubeletPlans;
    this.handlerPlans = handlerPlans;
  }

  /** virt-handler does not run just now, as while it is rolled. */
  get isHandlerDown(): boolean {
    return this.#handlerDown !== undefined && this.#handlerDown.to === undefined;
  }

  noteHandlerDown(): void {
    if (!this.isHandlerDown) this.#handlerDown = { from: this.clock.now(), to: undefined };
  }

  noteHandlerUp(): void {
    if (this.#handlerDown) this.#handlerDown = { ...this.#handlerDown, to: this.clock.now() };
  }

  /** The first instant from a given one on at which virt-handler ran, as far as its last absence goes. */
  handlerUpAt(at: Instant): Instant {
    const { from = at, to = at } = this.#handlerDown ?? {};
    return from <= at && at < to ? to : at;
  }

  /** When a step that takes so long is noticed. */
  late(seconds: number): number {
    return lateSeconds(seconds, this.times.pollSeconds);
  }

  /** Seconds from now on until so long after an instant, as the step is noticed. */
  lateAfter(at: number, seconds: number): number {
    return Math.max(0, this.late(seconds) - (this.clock.now() - at) / 1000);
  }

  /** Writes a VMI, if there is something to write, and records the event if it was written. */
  async writeVmi(
    vmi: Vmi,
    change: (vmi: Vmi) => Vmi | undefined,
    event?: (vmi: Vmi) => readonly EventDraft[],
  ): Promise<ApiResult> {
    let written: Vmi | undefined;
    const { uid } = vmi.metadata;
    const result = await this.cluster.modify('VirtualMachineInstance', keyOf(vmi), (held) => {
      written = held.metadata.uid === uid ? change(held) : undefined;
      return written;
    });
    if (result.ok && written && event) this.record(...event(written));
    return result;
  }

  /** virt-handler finds that the domain has vanished. */
  loseGuest(vmi: Vmi): Promise<ApiResult> {
    const change = (held: Vmi) => {
      const phase = resultOf(domainPhaseTable, { vmi: held, domain: undefined });
      return ended(held, this.node, phase, this.clock.now());
    };
    return this.writeVmi(vmi, change, endEvents);
  }

  writePod(pod: Pod, change: (pod: Pod) => Pod | undefined): Promise<ApiResult> {
    const { uid } = pod.metadata;
    return this.cluster.modify(
      'Pod',
      keyOf(pod),
      (held) => (held.metadata.uid === uid ? change(held) : undefined),
      { subresource: 'status' },
    );
  }

  removePod(pod: Pod): Promise<ApiResult> {
    return this.cluster.delete('Pod', keyOf(pod), { graceSeconds: 0, uid: pod.metadata.uid });
  }

  record(...events: readonly EventDraft[]): void {
    if (!this.#recordsEvents) return;
    for (const event of events) this.cluster.recordEvent(event, HANDLER_EVENT.component);
  }

  /** What virt-handler found out about the node's CPU: its label says it. */
  hostCpuModel(): string {
    const labels = this.fleet.get('Node', this.node)?.metadata.labels ?? {};
    const label = Object.keys(labels).find((name) => name.startsWith(NODE_LABEL_PREFIX.hostModelCpu));
    return label?.slice(NODE_LABEL_PREFIX.hostModelCpu.length) ?? 'unknown';
  }

  configuration(): ClusterConfiguration | undefined {
    return this.fleet.kubevirt()?.spec?.configuration;
  }
}
