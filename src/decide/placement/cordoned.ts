import type { NamedView } from './world.ts';
import { WorldOver } from './world-over.ts';

/** A world in which these nodes are cordoned on top of those that are. */
export class CordonedWorld extends WorldOver {
  constructor(world: NamedView, nodes: Iterable<string>) {
    super(world, new Set([...world.cordoned, ...nodes]));
  }
}
