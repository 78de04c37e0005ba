import { groupBy } from '../../kubevirt/group-by.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';

/** Stands for any value, where a term asks for no label by its values. */
export const ANY = '*';

/** A label, and values of which a pod has one if the term selects it; no label and `ANY` where it asks for none. */
export function labelAskedBy({ labelSelector }: PodAffinityTerm): {
  readonly label: string | undefined;
  readonly values: readonly string[];
} {
  const [exact] = Object.entries(labelSelector?.matchLabels ?? {});
  if (exact) return { label: exact[0], values: [exact[1]] };
  const among = labelSelector?.matchExpressions?.find(({ operator }) => operator === 'In');
  return among
    ? { label: among.key, values: [...new Set(among.values)] }
    : { label: undefined, values: [ANY] };
}

export function labelOf({ metadata }: Pod, label: string): string | undefined {
  return metadata.labels?.[label];
}

interface HasPod {
  readonly pod: Pod;
}

/**
 * Pods, and what goes with them, by the labels that terms ask for.
 *
 * Promise: of many groups of pods that each have a label of their own, each is found without a look at the others.
 */
export class ByLabel<T extends HasPod> {
  readonly #all: readonly T[];
  /** By a label that some term has asked for, and its value. */
  readonly #byLabel = new Map<string, ReadonlyMap<string | undefined, readonly T[]>>();

  constructor(all: readonly T[]) {
    this.#all = all;
  }

  /** Those whom the term may select, in the order given: nobody else has the label that it asks for. */
  perhapsSelectedBy(term: PodAffinityTerm): readonly T[] {
    const { label, values } = labelAskedBy(term);
    if (label === undefined) return this.#all;
    const byValue = this.#byLabel.get(label) ?? groupBy(this.#all, ({ pod }) => labelOf(pod, label));
    this.#byLabel.set(label, byValue);
    const [value, ...others] = values;
    if (others.length === 0) return byValue.get(value) ?? [];
    return this.#all.filter(({ pod }) => values.includes(labelOf(pod, label) ?? ''));
  }
}
