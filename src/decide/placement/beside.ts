import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { isForVm, ownersOf, type Placed, type PodsByNode } from './placed.ts';
import { type Amounts, loadOf, plus } from './resources.ts';
import type { Guard, NamedView } from './world.ts';
import { WorldOver } from './world-over.ts';

/**
 * A world in which pods that are still on their way have their places already. Whoever is judged in it finds room beside
 * them, or none.
 *
 * Promise: it costs as much as the pods added.
 */
export class WorldBeside extends WorldOver {
  readonly #coming: readonly Placed[];
  #neighbourhood: Neighbourhood | undefined;

  constructor(world: NamedView, coming: readonly Placed[]) {
    super(world);
    this.#coming = coming;
  }

  override podsOn(node: string): readonly Pod[] {
    return [...this.world.podsOn(node), ...this.#comingTo(node)];
  }

  override podsOf(owner: string): readonly Pod[] {
    const coming = this.#coming.filter(({ pod }) => ownersOf(pod).has(owner));
    return [...this.world.podsOf(owner), ...coming.map(({ pod }) => pod)];
  }

  override selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): PodsByNode[] {
    return [...this.world.selectedBy(terms, owner), this.#neighbours().selectedBy(terms, owner)];
  }

  override loadOn(node: string, withoutVms = false): Amounts {
    const coming = this.#comingTo(node).filter((pod) => !withoutVms || !isForVm(pod));
    const load = this.world.loadOn(node, withoutVms);
    return coming.length > 0 ? plus(load, loadOf(coming)) : load;
  }

  override guardsAgainst(pod: Pod): readonly Guard[] {
    return [...this.world.guardsAgainst(pod), ...this.#neighbours().guardsAgainst(pod)];
  }

  #neighbours(): Neighbourhood {
    this.#neighbourhood ??= new Neighbourhood(this.#coming, this);
    return this.#neighbourhood;
  }

  #comingTo(node: string): Pod[] {
    return this.#coming.filter((placed) => placed.node.metadata.name === node).map(({ pod }) => pod);
  }
}
