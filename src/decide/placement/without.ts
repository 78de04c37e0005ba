import { groupBy } from '../../kubevirt/group-by.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { isForVm, type PodsByNode } from './placed.ts';
import { type Amounts, loadOf, minus } from './resources.ts';
import type { Guard, NamedView } from './world.ts';
import { WorldOver } from './world-over.ts';

/**
 * A world that some of its pods have left.
 *
 * Promise: it costs as much as the pods that are gone, and those that one term selects with them.
 */
export class WorldWithout extends WorldOver {
  readonly #gone: ReadonlySet<Pod>;
  readonly #goneFrom: ReadonlyMap<string | undefined, readonly Pod[]>;
  readonly #loads = new Map<string, Amounts>();
  readonly #left = new Map<PodsByNode, PodsByNode>();

  constructor(world: NamedView, gone: ReadonlySet<Pod>) {
    super(world);
    this.#gone = gone;
    this.#goneFrom = groupBy(gone, ({ spec }) => spec?.nodeName);
  }

  override podsOn(node: string): readonly Pod[] {
    return this.#leftOf(this.world.podsOn(node));
  }

  override podsOf(owner: string): readonly Pod[] {
    return this.#leftOf(this.world.podsOf(owner));
  }

  override selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): PodsByNode[] {
    return [...this.world.selectedBy(terms, owner)].map((pods) => this.#leftBy(pods));
  }

  override loadOn(node: string, withoutVms = false): Amounts {
    const gone = this.#goneFrom.get(node);
    const load = this.world.loadOn(node, withoutVms);
    if (!gone) return load;
    const key = `${node} ${withoutVms}`;
    const left =
      this.#loads.get(key) ?? minus(load, loadOf(gone.filter((pod) => !withoutVms || !isForVm(pod))));
    this.#loads.set(key, left);
    return left;
  }

  override guardsAgainst(pod: Pod): readonly Guard[] {
    return [...this.world.guardsAgainst(pod)].map((guard) => ({ ...guard, pods: this.#leftBy(guard.pods) }));
  }

  #leftOf(pods: readonly Pod[]): readonly Pod[] {
    return pods.filter((pod) => !this.#gone.has(pod));
  }

  #leftBy(pods: PodsByNode): PodsByNode {
    const left = this.#left.get(pods) ?? pods.without(this.#gone);
    this.#left.set(pods, left);
    return left;
  }
}
