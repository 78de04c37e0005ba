import { addToGroup, groupBy } from '../../kubevirt/group-by.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { antiAffinityTerms, keyOfTerms, selects } from './affinity-terms.ts';
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
  #byLabel: ReadonlyMap<string, readonly Placed[]> | undefined;
  #guards: ReadonlyMap<string, readonly Guards[]> | undefined;

  constructor(placed: readonly Placed[], namespaces: Pick<PlacementView, 'namespaceLabels'>) {
    this.#placed = placed;
    this.#namespaces = namespaces;
  }

  selectedBy(terms: readonly PodAffinityTerm[], owner: Pod): PodsByNode {
    const key = keyOfTerms(terms, owner);
    const selected = this.#selected.get(key) ?? new PodsByNode(this.#select(terms, owner));
    this.#selected.set(key, selected);
    return selected;
  }

  guardsAgainst(pod: Pod): readonly Guard[] {
    this.#guards ??= byEach(guardsOf(this.#placed), ({ term }) => labelsAskedBy(term));
    const guards = this.#guards;
    const perhaps = labelsOf(pod).flatMap((label) => guards.get(label) ?? []);
    return perhaps.filter(({ term, owner }) => selects(term, owner, pod, this.#namespaces));
  }

  #select(terms: readonly PodAffinityTerm[], owner: Pod): Placed[] {
    const [first] = terms;
    if (!first) return [];
    this.#byLabel ??= byEach(this.#placed, ({ pod }) => labelsOf(pod));
    const byLabel = this.#byLabel;
    const perhaps = labelsAskedBy(first).flatMap((label) => byLabel.get(label) ?? []);
    return perhaps.filter(({ pod }) => terms.every((term) => selects(term, owner, pod, this.#namespaces)));
  }
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

/** Labels (`key=value`) of one key, of which a pod has one if the term selects it; it may have any. */
function labelsAskedBy({ labelSelector }: PodAffinityTerm): readonly string[] {
  const [exact] = Object.entries(labelSelector?.matchLabels ?? {});
  if (exact) return [exact.join('=')];
  const among = labelSelector?.matchExpressions?.find(({ operator }) => operator === 'In');
  return among ? [...new Set(among.values)].map((value) => `${among.key}=${value}`) : [ANY];
}

function labelsOf({ metadata }: Pod): string[] {
  return [ANY, ...Object.entries(metadata.labels ?? {}).map((label) => label.join('='))];
}

/** What every pod has; no label is written so. */
const ANY = '*';

function byEach<T, K>(all: readonly T[], keysOf: (one: T) => readonly K[]): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) for (const key of keysOf(one)) addToGroup(groups, key, one);
  return groups;
}
