import type { Clock } from '../../controllers/ports.ts';
import { endPreCopy, type MemoryCopy } from '../../decide/transfer/copy.ts';
import {
  addFlow,
  alterFlow,
  copyAt,
  type Flow,
  type FlowChange,
  type FluidNetwork,
  idleNetwork,
  type NewFlow,
  nextEnd,
  passTo,
  removeFlow,
} from '../../decide/transfer/fluid-network.ts';
import { payloadMBps, wiringOf } from '../../decide/transfer/wiring.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { parseQuantity } from '../../kubevirt/quantity.ts';
import type { Instant } from '../../kubevirt/time.ts';

export interface NetworkOptions {
  /** Of every node whose annotation `lab/nic-mbps` says nothing else. 10 Gbit/s where absent. */
  readonly nicMbps?: number | undefined;
  /** Of the racks, by the label of `rackLabel`; never full where absent. */
  readonly rackUplinkMbps?: number | undefined;
  readonly rackLabel?: string | undefined;
}

const NIC_MBPS = 10_000;
const NIC_ANNOTATION = 'lab/nic-mbps';
const RACK_LABEL = 'topology.kubernetes.io/rack';

/** Who waits for a copy. */
export interface CopyListener {
  /** All is there. */
  onEnd(copy: MemoryCopy): void;
  /** The network is about to share itself out anew: the last moment to see how the copy stood until now. */
  onChange(): void;
}

/**
 * The copies under way in a cluster, on one network, in the time of a clock.
 *
 * Promise: an end is told once, at its time; a copy that was canceled is told nothing any more.
 */
export class CopyNetwork {
  readonly #clock: Clock;
  readonly #options: NetworkOptions;
  readonly #nodeOf: (name: string) => Node | undefined;
  readonly #listeners = new Map<string, CopyListener>();
  readonly #done = new Map<string, MemoryCopy>();
  #network: FluidNetwork;
  #timer: { readonly at: Instant; readonly callOff: () => void } | undefined;

  constructor(clock: Clock, nodeOf: (name: string) => Node | undefined, options: NetworkOptions = {}) {
    this.#clock = clock;
    this.#nodeOf = nodeOf;
    this.#options = options;
    this.#network = idleNetwork(wiringOf([], options.rackUplinkMbps));
  }

  /** How a copy ended; undefined: it has not. */
  ended(key: string): MemoryCopy | undefined {
    return this.#done.get(key);
  }

  isUnderWay(key: string): boolean {
    return this.#listeners.has(key);
  }

  /** How a copy stands now. */
  copyOf(key: string, at: Instant = this.#clock.now()): MemoryCopy | undefined {
    return copyAt(this.#network, key, at);
  }

  /** How long the round under way takes yet, if nothing changes; undefined: there is no such copy. */
  secondsToRoundEnd(key: string): number | undefined {
    const flow = this.#network.flows.get(key);
    const left = this.copyOf(key)?.remainingMB;
    return flow && left !== undefined ? left / payloadMBps(flow.mbps) : undefined;
  }

  begin(flow: NewFlow, listener: CopyListener): void {
    this.#change((network) => addFlow(this.#wired(network, flow), flow, this.#clock.now()));
    this.#listeners.set(flow.key, listener);
    this.#planNextEnd();
  }

  /** Ends a copy, or forgets how it ended. */
  cancel(key: string): void {
    this.#done.delete(key);
    if (!this.#listeners.delete(key)) return;
    this.#change((network) => removeFlow(network, key, this.#clock.now()));
    this.#planNextEnd();
  }

  /** From now on the guest writes no more at the source. */
  endPreCopy(key: string, phase: 'StopAndCopy' | 'PostCopy'): void {
    this.alter(key, ({ copy }) => ({ copy: endPreCopy(copy, phase) }));
  }

  alter(key: string, change: (flow: Flow) => FlowChange): void {
    this.#change((network) => alterFlow(network, key, this.#clock.now(), change));
    this.#planNextEnd();
  }

  #change(change: (network: FluidNetwork) => FluidNetwork): void {
    this.#pass();
    for (const listener of [...this.#listeners.values()]) listener.onChange();
    this.#network = change(this.#network);
  }

  /** Takes out what has ended by now, and tells of it. */
  #pass(): void {
    const before = this.#network;
    const { network, ended } = passTo(before, this.#clock.now());
    this.#network = network;
    for (const { key, at } of ended) this.#end(key, copyAt(before, key, at));
  }

  #end(key: string, copy: MemoryCopy | undefined): void {
    const listener = this.#listeners.get(key);
    this.#listeners.delete(key);
    if (!listener || !copy) return;
    this.#done.set(key, copy);
    listener.onEnd(copy);
  }

  #planNextEnd(): void {
    const at = nextEnd(this.#network)?.at;
    if (this.#timer && at === this.#timer.at) return;
    this.#timer?.callOff();
    this.#timer = undefined;
    if (at === undefined) return;
    const callOff = this.#clock.after(Math.max(0, at - this.#clock.now()) / 1000, () => this.#wake());
    this.#timer = { at, callOff };
  }

  #wake(): void {
    this.#timer = undefined;
    this.#pass();
    this.#planNextEnd();
  }

  /** With both ends of the flow wired as their nodes say. */
  #wired(network: FluidNetwork, { from, to }: NewFlow): FluidNetwork {
    if (network.wiring.nodes.has(from) && network.wiring.nodes.has(to)) return network;
    const nodes = new Map(network.wiring.nodes);
    for (const node of [from, to]) nodes.set(node, { node, ...this.#cardOf(node) });
    return { ...network, wiring: { ...network.wiring, nodes } };
  }

  #cardOf(name: string): { nicMbps: number; rack: string | undefined } {
    const { labels, annotations } = this.#nodeOf(name)?.metadata ?? {};
    const told = parseQuantity(annotations?.[NIC_ANNOTATION]);
    return {
      nicMbps: told ?? this.#options.nicMbps ?? NIC_MBPS,
      rack: labels?.[this.#options.rackLabel ?? RACK_LABEL],
    };
  }
}
