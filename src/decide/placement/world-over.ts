import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, PersistentVolume, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import type { PodsByNode } from './placed.ts';
import type { Amounts } from './resources.ts';
import type { Guard, NamedView } from './world.ts';

/**
 * A world that is as the one beneath it, but for what a class over it says.
 *
 * Promise: nothing of the world beneath is changed or worked out anew, and what it works out is shared by all that are over it.
 */
export abstract class WorldOver implements NamedView {
  protected readonly world: NamedView;
  readonly nodes: readonly Node[];
  readonly cordoned: ReadonlySet<string>;
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  readonly volumesOf: (pod: Pod) => readonly PersistentVolume[];

  constructor(world: NamedView, cordoned = world.cordoned) {
    this.world = world;
    this.nodes = world.nodes;
    this.cordoned = cordoned;
    this.namespaceLabels = world.namespaceLabels;
    this.volumesOf = world.volumesOf;
  }

  node(name: string): Node | undefined {
    return this.world.node(name);
  }

  allocatableOn(node: Node): Amounts | undefined {
    return this.world.allocatableOn(node);
  }

  podsOn(node: string): readonly Pod[] {
    return this.world.podsOn(node);
  }

  podsOf(owner: string): readonly Pod[] {
    return this.world.podsOf(owner);
  }

  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): Iterable<PodsByNode> {
    return this.world.selectedBy(terms, owner);
  }

  loadOn(node: string, withoutVms = false): Amounts {
    return this.world.loadOn(node, withoutVms);
  }

  guardsAgainst(pod: Pod): Iterable<Guard> {
    return this.world.guardsAgainst(pod);
  }
}
