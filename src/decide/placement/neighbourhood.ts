import { addToGroup, groupBy } from '../../kubevirt/group-by.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { antiAffinityTerms, keyOfTerms, selects } from './affinity-terms.ts';
import { ANY, ByLabel, labelAskedBy, labelOf } from './by-label.ts';
import { type Placed, PodsByNode } from './placed.ts';
import type { Guard, PlacementView } from './world.ts';

/** A required anti-affinity term that pods in place share, with one of them. */
interface Guards extends Guard {
  readonly term: PodAffinityTerm;
  readonly owner: Pod;
}

/**
 * Who of the pods in place minds whom, found by the labels that terms ask for.
 *
 * Promise: a term that many have is looked into once for all of them, however many it selects.
 */
export class Neighbourhood {
  readonly #placed: readonly Placed[];
  readonly #namespaces: Pick<PlacementView, 'namespaceLabels'>;
  readonly #selected = new Map<string, PodsByNode>();
  readonly #byLabel: ByLabel<Placed>;
  #guards: readonly GuardsByValue[] | undefined;

  constructor(placed: readonly Placed[], namespaces: Pick<PlacementView, 'namespaceLabels'>) {
    this.#placed = placed;
    this.#byLabel = new ByLabel(placed);
    this.#namespaces = namespaces;
  }

  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): PodsByNode {
    const key = keyOfTerms(terms, owner);
    const selected = this.#selected.get(key) ?? new PodsByNode(this.#select(terms, owner));
    this.#selected.set(key, selected);
    return selected;
  }

  guardsAgainst(pod: Pod): readonly Guard[] {
    this.#guards ??= guardsByLabel(this.#placed);
    const perhaps = this.#guards.flatMap(
      ({ label, byValue }) => byValue.get(label === undefined ? ANY : (labelOf(pod, label) ?? '')) ?? [],
    );
    return perhaps.filter(({ term, owner }) => selects(term, owner, pod, this.#namespaces));
  }

  #select(terms: readonly PodAffinityTerm[], owner: Pod): Placed[] {
    const [first] = terms;
    if (!first) return [];
    const perhaps = this.#byLabel.perhapsSelectedBy(first);
    return perhaps.filter(({ pod }) => terms.every((term) => selects(term, owner, pod, this.#namespaces)));
  }
}

/** Terms that ask for one label, by its value; those that ask for none under `ANY`. */
interface GuardsByValue {
  readonly label: string | undefined;
  readonly byValue: ReadonlyMap<string, readonly Guards[]>;
}

function guardsByLabel(placed: readonly Placed[]): GuardsByValue[] {
  const asked = guardsOf(placed).map((guards) => ({ guards, ...labelAskedBy(guards.term) }));
  return [...groupBy(asked, ({ label }) => label)].map(([label, alike]) => {
    const byValue = new Map<string, Guards[]>();
    for (const { guards, values } of alike) for (const value of values) addToGroup(byValue, value, guards);
    return { label, byValue };
  });
}

function guardsOf(placed: readonly Placed[]): Guards[] {
  const terms = placed.flatMap((one) => antiAffinityTerms(one.pod).map((term) => ({ ...one, term })));
  return [...groupBy(terms, ({ term, pod }) => keyOfTerms([term], pod)).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ term, pod }) => ({
      ...{ term, owner: pod, topologyKey: term.topologyKey },
      pods: new PodsByNode(alike),
    })),
  );
}
