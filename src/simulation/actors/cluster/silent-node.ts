import {
  deletedAfterSeconds,
  notReady,
  reachable,
  SILENCE_SECONDS,
  unreachable,
  withTaintsOf,
} from '../../../decide/node-silence.ts';
import { isPodDownOrGoingDown } from '../../../decide/vmi/pod-state.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { byKey } from '../../../kubevirt/order.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { Instant } from '../../../kubevirt/time.ts';
import type { ActorContext } from '../actor.ts';

/** A node that says nothing any more. */
export interface SilentNode {
  /** It reports again: it is ready, and takes pods. What was deleted meanwhile stays so. */
  back(): Promise<void>;
}

/** The nodes of a cluster that say nothing. */
export class SilentNodes {
  readonly #context: ActorContext;
  readonly #silent = new Map<string, SilentNode>();

  constructor(context: ActorContext) {
    this.#context = context;
  }

  /** One that is silent already is so since then. */
  fallsSilent(name: string): void {
    if (!this.#silent.has(name)) this.#silent.set(name, silentNode(this.#context, name));
  }

  async isBack(name: string): Promise<void> {
    const silent = this.#silent.get(name);
    this.#silent.delete(name);
    await silent?.back();
  }
}

/**
 * What Kubernetes' node controllers do from the moment at which a kubelet falls silent: after 50 seconds the node is unreachable and its
 * pods are not ready; after as long as each pod tolerates that, it is deleted. With nobody there to end them, pods stay.
 */
export function silentNode(context: ActorContext, name: string): SilentNode {
  const { cluster, clock } = context;
  let isBack = false;
  const callOffs = [clock.after(SILENCE_SECONDS, () => void lose())];

  async function lose(): Promise<void> {
    await write((node, now) => unreachable(node, now));
    const message = `Node ${name} status is now: NodeNotReady`;
    const event = { kind: 'Node', name, type: 'Normal', reason: 'NodeNotReady', message } as const;
    cluster.recordEvent(event, 'node-controller');
    for (const pod of podsThere()) {
      const change = (held: Pod) => notReady(held, clock.now());
      await cluster.modify('Pod', keyOf(pod), change, { subresource: 'status' });
      deleteLater(pod);
    }
  }

  function deleteLater(pod: Pod): void {
    const seconds = deletedAfterSeconds(pod);
    if (seconds === undefined || isBack) return;
    callOffs.push(clock.after(seconds, () => void remove(pod)));
  }

  async function remove(pod: Pod): Promise<void> {
    const { namespace, name: podName, uid } = pod.metadata;
    const message = `Marking for deletion Pod ${keyOf(pod)}`;
    const event = {
      kind: 'Pod',
      namespace,
      name: podName,
      type: 'Normal',
      reason: 'TaintManagerEviction',
    } as const;
    cluster.recordEvent({ ...event, message }, 'taint-eviction-controller');
    await cluster.delete('Pod', keyOf(pod), { uid });
  }

  function podsThere(): Pod[] {
    const isThere = (pod: Pod) => !isPodDownOrGoingDown(pod);
    return cluster.fleet.podsOn(name).filter(isThere).sort(byKey);
  }

  /** Taints stand behind one door, conditions behind the other. */
  async function write(change: (node: Node, now: Instant) => Node | undefined): Promise<void> {
    await cluster.modify('Node', name, (held) => {
      const changed = change(held, clock.now());
      return changed && withTaintsOf(held, changed);
    });
    await cluster.modify('Node', name, (held) => change(held, clock.now()), { subresource: 'status' });
  }

  return {
    async back() {
      isBack = true;
      for (const callOff of callOffs) callOff();
      await write((node, now) => reachable(node, now));
    },
  };
}
