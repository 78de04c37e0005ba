import type { Amounts } from '../../decide/placement/resources.ts';
import type { NamedView } from '../../decide/placement/world.ts';

/** What is left on a node beside those who stay and one more, by resource that this one asks for. */
export type Slack = ReadonlyMap<string, number>;

/** The slack of nodes, worked out once for all who ask for the same. */
export class Slacks {
  readonly #world: NamedView;
  readonly #known = new Map<Amounts, Map<string, Slack>>();

  constructor(world: NamedView) {
    this.#world = world;
  }

  on(node: string, amounts: Amounts): Slack {
    const known = this.#known.get(amounts) ?? new Map<string, Slack>();
    this.#known.set(amounts, known);
    const slack = known.get(node) ?? this.#reckon(node, amounts);
    known.set(node, slack);
    return slack;
  }

  #reckon(name: string, amounts: Amounts): Slack {
    const node = this.#world.node(name);
    const has = (node && this.#world.allocatableOn(node)) ?? new Map<string, number>();
    const load = this.#world.loadOn(name);
    return new Map(
      [...amounts].map(([resource, amount]) => {
        // What a node does not tell is not judged by the scheduler's filters either.
        const total = has.get(resource);
        const left =
          total === undefined ? Number.POSITIVE_INFINITY : total - (load.get(resource) ?? 0) - amount;
        return [resource, left];
      }),
    );
  }
}
