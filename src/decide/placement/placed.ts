import { addToGroup } from '../../kubevirt/group-by.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Node, Pod } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { controllerOf, isHotplugPod, isLauncherPod, keyOf } from '../../kubevirt/predicates.ts';

/** A pod in its place. */
export interface Placed {
  readonly pod: Pod;
  readonly node: Node;
}

/** Which of the pods in place are looked at. */
export interface Presence {
  /** Pods that will have left. */
  readonly gone: ReadonlySet<Pod>;
  /** The pods of VMs are taken to have left too, but for the one with this key. */
  readonly onlyOfVms?: string | undefined;
}

/** All are there. */
export const NOBODY: ReadonlySet<Pod> = new Set();

/**
 * Pods in place, by node.
 *
 * Promise: where the first of them are costs no more than a look at each node, however many they are, once it was asked before.
 */
export class PodsByNode {
  readonly #placed: readonly Placed[];
  readonly #byNode = new Map<Node, Pod[]>();
  #firsts: ReadonlyMap<Node, Pod | undefined> | undefined;
  #beyondVms: PodsByNode | undefined;
  #places: ReadonlyMap<string, Placed> | undefined;

  constructor(placed: readonly Placed[]) {
    this.#placed = placed;
    for (const { pod, node } of placed) addToGroup(this.#byNode, node, pod);
  }

  /** Those who are looked at; a node may come twice. */
  *there({ gone, onlyOfVms }: Presence): Iterable<readonly [Node, readonly Pod[]]> {
    if (onlyOfVms !== undefined) {
      for (const part of this.#withoutVmsBut(onlyOfVms)) yield* part.there({ gone });
    } else if (gone.size === 0) {
      yield* this.#byNode;
    } else {
      for (const [node, pods] of this.#byNode) yield [node, pods.filter((pod) => !gone.has(pod))];
    }
  }

  /** Of those who are looked at the first by name on each node; a node may come twice. */
  *firsts({ gone, onlyOfVms }: Presence): Iterable<Placed> {
    if (onlyOfVms !== undefined) {
      for (const part of this.#withoutVmsBut(onlyOfVms)) yield* part.firsts({ gone });
      return;
    }
    this.#firsts ??= new Map([...this.#byNode].map(([node, pods]) => [node, firstByKey(pods)]));
    for (const [node, first] of this.#firsts) {
      const pod =
        first && gone.has(first)
          ? firstByKey(this.#byNode.get(node)?.filter((other) => !gone.has(other)))
          : first;
      if (pod) yield { pod, node };
    }
  }

  /** Those who are left when these have gone. */
  without(gone: ReadonlySet<Pod>): PodsByNode {
    const left = this.#placed.filter(({ pod }) => !gone.has(pod));
    return left.length === this.#placed.length ? this : new PodsByNode(left);
  }

  #withoutVmsBut(key: string): PodsByNode[] {
    this.#beyondVms ??= new PodsByNode(this.#placed.filter(({ pod }) => !isForVm(pod)));
    this.#places ??= new Map(this.#placed.map((placed) => [keyOf(placed.pod), placed]));
    const own = this.#places.get(key);
    return own && isForVm(own.pod) ? [this.#beyondVms, new PodsByNode([own])] : [this.#beyondVms];
  }
}

function firstByKey(pods: readonly Pod[] = []): Pod | undefined {
  return pods.reduce<Pod | undefined>(
    (first, pod) => (first && byKey(first, pod) < 0 ? first : pod),
    undefined,
  );
}

/** Launchers and attachment pods: they leave with their VM. */
export function isForVm(pod: Pod): boolean {
  return isLauncherPod(pod) || isHotplugPod(pod);
}

/** UIDs of those whom a pod belongs to: of its owners, and of the VMI that it was created for. */
export function ownersOf({ metadata }: Pod): ReadonlySet<string> {
  const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  return new Set([...owners, metadata.labels?.[LABEL.createdBy]].filter((uid) => uid !== undefined));
}

/** A launcher, of now or of a migration, of the VMI with this UID. */
export function isPodOfVmi(pod: Pod, uid: string | undefined): boolean {
  if (!uid) return false;
  return controllerOf(pod.metadata)?.uid === uid || pod.metadata.labels?.[LABEL.createdBy] === uid;
}
