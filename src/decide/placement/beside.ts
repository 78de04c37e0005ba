import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, PersistentVolume, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { isForVm, ownersOf, type Placed, type PodsByNode } from './placed.ts';
import { type Amounts, loadOf, plus } from './resources.ts';
import type { Guard, NamedView } from './world.ts';

/**
 * A world in which pods that are still on their way have their places already. Whoever is judged in it finds room beside
 * them, or none.
 *
 * Promise: nothing of the world beneath is changed or worked out anew, so that such a view costs as much as the pods added.
 */
export class WorldBeside implements NamedView {
  readonly nodes: readonly Node[];
  readonly cordoned: ReadonlySet<string>;
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];
  readonly #world: NamedView;
  readonly #coming: readonly Placed[];
  #neighbourhood: Neighbourhood | undefined;

  constructor(world: NamedView, coming: readonly Placed[]) {
    this.nodes = world.nodes;
    this.cordoned = world.cordoned;
    this.namespaceLabels = world.namespaceLabels;
    this.volumesOf = world.volumesOf;
    this.#world = world;
    this.#coming = coming;
  }

  node(name: string): Node | undefined {
    return this.#world.node(name);
  }

  allocatableOn(node: Node): Amounts | undefined {
    return this.#world.allocatableOn(node);
  }

  podsOn(node: string): readonly Pod[] {
    return [...this.#world.podsOn(node), ...this.#comingTo(node)];
  }

  podsOf(owner: string): readonly Pod[] {
    const coming = this.#coming.filter(({ pod }) => ownersOf(pod).has(owner));
    return [...this.#world.podsOf(owner), ...coming.map(({ pod }) => pod)];
  }

  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): PodsByNode[] {
    return [...this.#world.selectedBy(terms, owner), this.#neighbours().selectedBy(terms, owner)];
  }

  loadOn(node: string, withoutVms = false): Amounts {
    const coming = this.#comingTo(node).filter((pod) => !withoutVms || !isForVm(pod));
    const load = this.#world.loadOn(node, withoutVms);
    return coming.length > 0 ? plus(load, loadOf(coming)) : load;
  }

  guardsAgainst(pod: Pod): readonly Guard[] {
    return [...this.#world.guardsAgainst(pod), ...this.#neighbours().guardsAgainst(pod)];
  }

  #neighbours(): Neighbourhood {
    this.#neighbourhood ??= new Neighbourhood(this.#coming, this);
    return this.#neighbourhood;
  }

  #comingTo(node: string): Pod[] {
    return this.#coming.filter((placed) => placed.node.metadata.name === node).map(({ pod }) => pod);
  }
}
