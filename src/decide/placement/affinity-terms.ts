/** Required affinity and anti-affinity terms of pods, and whom they select. */

import { LABEL } from '../../kubevirt/names.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';

/** What is known of the labels of namespaces. */
interface Namespaces {
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
}

/** The required terms; preferred ones keep a pod off nothing. */
export function antiAffinityTerms(pod: Pod): readonly PodAffinityTerm[] {
  return pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The required terms; preferred ones keep a pod off nothing. */
export function affinityTerms(pod: Pod): readonly PodAffinityTerm[] {
  return pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** Whether a term of `owner` selects `other`: by labels, in the owner's namespace unless the term names others. */
export function selects(
  term: PodAffinityTerm,
  owner: Pod,
  { metadata }: Pod,
  { namespaceLabels }: Namespaces,
): boolean {
  // Comparing two names costs least, and asking for the labels of a namespace most.
  const isOwn = isAboutItsOwn(term);
  const namespace = metadata.namespace ?? '';
  if (isOwn && namespace !== (owner.metadata.namespace ?? '')) return false;
  if (!matchesSelector(term.labelSelector, metadata.labels)) return false;
  return (
    isOwn ||
    (term.namespaces ?? []).includes(namespace) ||
    matchesSelector(term.namespaceSelector, namespaceLabels(namespace))
  );
}

/** Whether it names no namespaces, and so selects pods of its owner's alone. */
function isAboutItsOwn({ namespaces = [], namespaceSelector }: PodAffinityTerm): boolean {
  return namespaces.length === 0 && !namespaceSelector;
}

/** Terms come with a pod's spec, which is replaced when it changes. */
const written = new WeakMap<PodAffinityTerm, string>();

/** Terms of the same key, with their owners, select the same pods. */
export function keyOfTerms(terms: readonly PodAffinityTerm[], { metadata }: Pod): string {
  const namespace = terms.some(isAboutItsOwn) ? (metadata.namespace ?? '') : '*';
  return [namespace, ...terms.map(keyOfTerm)].join(' ');
}

function keyOfTerm(term: PodAffinityTerm): string {
  const key = written.get(term) ?? JSON.stringify(term);
  written.set(term, key);
  return key;
}

/** The VMI whose pods alone a term can select, if its labels say so. */
export function creatorIn(term: PodAffinityTerm): string | undefined {
  return term.labelSelector?.matchLabels?.[LABEL.createdBy];
}
