import type { ReconcileResult } from '../../../controllers/controller.ts';
import type { Change } from '../../../controllers/ports.ts';
import { isNotFound } from '../../../decide/api-result.ts';
import { type EventDraft, eventOnPod } from '../../../decide/events.ts';
import { isPodDownOrGoingDown } from '../../../decide/vmi/pod-state.ts';
import { isSameJson } from '../../../kubevirt/json.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { oldestFirst } from '../../../kubevirt/order.ts';
import { isPodFinished, keyOf } from '../../../kubevirt/predicates.ts';
import { type Actor, type ActorContext, keyedActor } from '../actor.ts';
import { bound, markedScheduled, markedUnschedulable } from './binding.ts';
import { FollowedWorld } from './followed-world.ts';
import { type NodeChoice, SeatFinder } from './seat-finder.ts';
import { WaitingRoom } from './waiting-room.ts';

export interface SchedulerOptions {
  readonly choose?: NodeChoice | undefined;
}

const COMPONENT = 'default-scheduler';

/** Seats are given one after another; how many bindings may be under way meanwhile. */
const BINDINGS_AT_ONCE = 16;

/**
 * Stands in for kube-scheduler: gives nodes to pods that have none, and says of those that fit nowhere why. They are tried again
 * when something changes that kept them off, and no sooner than their back-off (1 s, doubling to 10 s) allows. Nobody is
 * preempted; priorities are not looked at.
 */
export function scheduler(context: ActorContext, options: SchedulerOptions = {}): Actor {
  const { cluster, clock } = context;
  const world = new FollowedWorld(cluster.fleet);
  const finder = new SeatFinder(world, context.random, options.choose);
  const waiting = new WaitingRoom();

  async function reconcile(key: string): Promise<ReconcileResult> {
    const pod = cluster.fleet.get('Pod', key);
    if (!pod || !isPending(pod)) {
      waiting.leave(key);
      return {};
    }
    const waitSeconds = waiting.secondsLeft(key, clock.now());
    if (waitSeconds > 0) return { requeueAfterSeconds: waitSeconds };
    const seat = finder.find(pod);
    if (seat.node !== undefined) {
      world.seat(pod, seat.node, seat.requests);
      return bind(key, pod, seat.node);
    }
    waiting.enter(key, seat.waits, clock.now());
    return refuse(key, pod, seat.message);
  }

  async function bind(key: string, pod: Pod, node: string): Promise<ReconcileResult> {
    waiting.leave(key);
    const result = await cluster.modify('Pod', key, (held) => bound(held, node));
    if (!result.ok) {
      world.deletePod(key);
      return isNotFound(result) ? {} : { error: result.message };
    }
    cluster.recordEvent(scheduledEvent(pod, node), COMPONENT);
    await cluster.modify('Pod', key, (held) => markedScheduled(held, clock.now()), { subresource: 'status' });
    return {};
  }

  async function refuse(key: string, pod: Pod, message: string): Promise<ReconcileResult> {
    cluster.recordEvent(failedEvent(pod, message), COMPONENT);
    const mark = (held: Pod) => markedUnschedulable(held, message, clock.now());
    const result = await cluster.modify('Pod', key, mark, { subresource: 'status' });
    return result.ok || isNotFound(result) ? {} : { error: result.message };
  }

  const actor = keyedActor({
    name: 'scheduler',
    context,
    keysOf: (change) => keysOf(change, waiting),
    allKeys: (fleet) => [...fleet.all('Pod')].filter(isPending).sort(oldestFirst).map(keyOf),
    reconcile,
    workers: BINDINGS_AT_ONCE,
  });
  let leave = (): void => {};
  return {
    start() {
      world.fill(cluster.fleet);
      leave = cluster.subscribe((change) => follow(world, change));
      actor.start();
    },
    async stop() {
      leave();
      await actor.stop();
    },
  };
}

function isPending(pod: Pod): boolean {
  return !pod.spec?.nodeName && !isPodDownOrGoingDown(pod);
}

function follow(world: FollowedWorld, { kind, key, before, after }: Change): void {
  if (kind === 'Pod') {
    if (after) world.setPod(after as Pod);
    else world.deletePod(key);
  }
  if (kind !== 'Node') return;
  if (!after) world.deleteNode(key);
  else if (isOtherNode(before as Node | undefined, after as Node)) world.setNode(after as Node);
}

/** Whether anything differs that the scheduler reads; heartbeats do not count. */
function isOtherNode(before: Node | undefined, after: Node): boolean {
  const read = ({ metadata, spec, status }: Node) => [metadata.labels, spec, status?.allocatable];
  return !before || !isSameJson(read(before), read(after));
}

/** The pods that a change concerns: a new one, or those that it may have made room for. */
function keysOf({ kind, key, before, after }: Change, waiting: WaitingRoom): Iterable<string> {
  switch (kind) {
    case 'Pod':
      return !before && after && isPending(after as Pod)
        ? [key]
        : movedBy(before as Pod | undefined, after as Pod | undefined, waiting);
    case 'Node':
      return after && isOtherNode(before as Node | undefined, after as Node) ? waiting.all() : [];
    case 'PersistentVolume':
    case 'PersistentVolumeClaim':
      return waiting.all();
    default:
      return [];
  }
}

function movedBy(before: Pod | undefined, after: Pod | undefined, waiting: WaitingRoom): Iterable<string> {
  if (isSeated(before) === isSeated(after)) return [];
  return isSeated(after) ? waiting.forArrival() : waiting.forDeparture(before?.spec?.nodeName ?? '');
}

function isSeated(pod: Pod | undefined): boolean {
  return pod?.spec?.nodeName !== undefined && !isPodFinished(pod);
}

function scheduledEvent(pod: Pod, node: string): EventDraft {
  const message = `Successfully assigned ${keyOf(pod)} to ${node}`;
  return eventOnPod(pod, 'Normal', 'Scheduled', message);
}

function failedEvent(pod: Pod, message: string): EventDraft {
  return eventOnPod(pod, 'Warning', 'FailedScheduling', message);
}
