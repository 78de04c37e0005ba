import type { Change, Clock, Cluster } from '../controllers/ports.ts';
import type { Migration, Vmi } from '../kubevirt/objects.ts';
import { compareText } from '../kubevirt/order.ts';
import { isMigrationFinal } from '../kubevirt/predicates.ts';
import type { NodePeaks, QueuePoint } from './result.ts';

/** How many there are, and how many there were at most. */
class Gauge {
  now = 0;
  most = 0;

  add(change: 1 | -1): void {
    this.now += change;
    this.most = Math.max(this.most, this.now);
  }
}

class NodeGauges {
  readonly guests = new Gauge();
  readonly outbound = new Gauge();
  readonly inbound = new Gauge();
}

/** Follows a cluster for its peaks: guests and copies on each node, migrations that wait and that are under way. */
export class Peaks {
  readonly waiting = new Gauge();
  readonly underWay = new Gauge();
  readonly copies = new Gauge();
  readonly #nodes = new Map<string, NodeGauges>();
  readonly #queue: QueuePoint[] = [];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #startAt: number;

  constructor(cluster: Pick<Cluster, 'fleet' | 'subscribe'>, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#startAt = clock.now();
    for (const { metadata } of cluster.fleet.all('Node')) this.#node(metadata.name);
    for (const vmi of cluster.fleet.all('VirtualMachineInstance')) this.#takeVmi(undefined, vmi);
    for (const migration of cluster.fleet.all('VirtualMachineInstanceMigration'))
      this.#takeMigration(undefined, migration);
    cluster.subscribe((change) => this.#take(change));
  }

  nodes(): NodePeaks[] {
    const all = [...this.#nodes].map(([name, { guests, outbound, inbound }]) => ({
      ...{ name, guests: guests.most, outbound: outbound.most, inbound: inbound.most },
    }));
    return all.sort((a, b) => compareText(a.name, b.name));
  }

  queue(): readonly QueuePoint[] {
    return this.#queue;
  }

  #take({ kind, before, after }: Change): void {
    if (kind === 'VirtualMachineInstance') this.#takeVmi(before as Vmi | undefined, after as Vmi | undefined);
    else if (kind === 'VirtualMachineInstanceMigration')
      this.#takeMigration(before as Migration | undefined, after as Migration | undefined);
    else if (kind === 'Node' && after) this.#node(after.metadata.name);
  }

  #takeVmi(before: Vmi | undefined, after: Vmi | undefined): void {
    const [was, is] = [guestNode(before), guestNode(after)];
    if (was !== is) {
      if (was !== undefined) this.#node(was).guests.add(-1);
      if (is !== undefined) this.#node(is).guests.add(1);
    }
    const [copied, copies] = [copyOf(before), copyOf(after)];
    if (copied?.from === copies?.from && copied?.to === copies?.to) return;
    if (copied) this.#count(copied, -1);
    if (copies) this.#count(copies, 1);
  }

  #count({ from, to }: { readonly from: string; readonly to: string }, change: 1 | -1): void {
    this.copies.add(change);
    this.#node(from).outbound.add(change);
    this.#node(to).inbound.add(change);
  }

  #takeMigration(before: Migration | undefined, after: Migration | undefined): void {
    const [was, is] = [placeOf(before), placeOf(after)];
    if (was === is) return;
    if (was) this[was].add(-1);
    if (is) this[is].add(1);
    this.#note();
  }

  /** The last point of a second is the one that stays. */
  #note(): void {
    const seconds = Math.floor((this.#clock.now() - this.#startAt) / 1000);
    const point = { seconds, waiting: this.waiting.now, underWay: this.underWay.now };
    if (this.#queue.at(-1)?.seconds === seconds) this.#queue.pop();
    this.#queue.push(point);
  }

  #node(name: string): NodeGauges {
    const held = this.#nodes.get(name);
    if (held) return held;
    const made = new NodeGauges();
    this.#nodes.set(name, made);
    return made;
  }
}

function guestNode(vmi: Vmi | undefined): string | undefined {
  return vmi?.status?.phase === 'Running' ? vmi.status.nodeName : undefined;
}

function copyOf(vmi: Vmi | undefined): { readonly from: string; readonly to: string } | undefined {
  const state = vmi?.status?.migrationState;
  if (state?.startTimestamp === undefined || state.endTimestamp !== undefined) return undefined;
  return { from: state.sourceNode ?? vmi?.status?.nodeName ?? '', to: state.targetNode ?? '' };
}

function placeOf(migration: Migration | undefined): 'waiting' | 'underWay' | undefined {
  if (!migration || isMigrationFinal(migration)) return undefined;
  const phase = migration.status?.phase ?? '';
  return phase === '' || phase === 'Pending' ? 'waiting' : 'underWay';
}
