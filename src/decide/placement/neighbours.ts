/**
 * Required affinity and anti-affinity between pods, in topology pairs (`key=value`) of nodes.
 * kubernetes pkg/scheduler/framework/plugins/interpodaffinity/filtering.go.
 */

import { LABEL } from '../../kubevirt/names.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import type { PlacementView } from './world.ts';

/** Topology pairs that are taken, each with a pod that takes it: of several the first by name. */
export type Taken = ReadonlyMap<string, { readonly pair: string; readonly pod: Pod }>;

/** Where the pods are that a required affinity asks for. */
export interface Company {
  readonly terms: readonly PodAffinityTerm[];
  readonly pairs: ReadonlySet<string>;
  /** The pod is itself what it asks for: while nobody else is, it may come first. */
  readonly matchesItself: boolean;
}

type Counts = (pod: Pod) => boolean;

/** The required terms; preferred ones keep a pod off nothing. */
export function antiAffinityTerms(pod: Pod): readonly PodAffinityTerm[] {
  return pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The required terms; preferred ones keep a pod off nothing. */
export function affinityTerms(pod: Pod): readonly PodAffinityTerm[] {
  return pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** Pairs from which the pod's own required anti-affinity keeps it. `counts` says which placed pods are looked at. */
export function avoidedBy(pod: Pod, world: PlacementView, counts: Counts): Taken {
  const taken: Mutable<Taken> = new Map();
  for (const term of antiAffinityTerms(pod)) {
    for (const { pod: other, node } of world.placedFor(term)) {
      if (counts(other) && selects(term, pod, other, world)) take(taken, term, node, other);
    }
  }
  return taken;
}

/** Pairs from which the required anti-affinity of pods in place keeps this pod. */
export function guardedAgainst(pod: Pod, world: PlacementView, counts: Counts): Taken {
  const taken: Mutable<Taken> = new Map();
  for (const guard of world.guardsAgainst(pod)) {
    if (counts(guard.pod) && selects(guard.term, guard.pod, pod, world)) {
      take(taken, guard.term, guard.node, guard.pod);
    }
  }
  return taken;
}

/** The pod in the way on this node, if any of the node's topology pairs is taken. */
export function inTheWay(taken: Taken, node: Node): { pair: string; pod: Pod } | undefined {
  if (taken.size === 0) return undefined;
  return Object.entries(node.metadata.labels ?? {})
    .map(([key, value]) => taken.get(`${key}=${value}`))
    .find((found) => found !== undefined);
}

/** Where the company is that the pod's required affinity asks for: pods that all of its terms select. */
export function companyOf(pod: Pod, world: PlacementView, counts: Counts): Company {
  const terms = affinityTerms(pod);
  const pairs = new Set<string>();
  const isCompany = (other: Pod) => terms.every((term) => selects(term, pod, other, world));
  const [first] = terms;
  for (const { pod: other, node } of first ? world.placedFor(first) : []) {
    if (!counts(other) || !isCompany(other)) continue;
    for (const { topologyKey } of terms) {
      const value = node.metadata.labels?.[topologyKey];
      if (value !== undefined) pairs.add(`${topologyKey}=${value}`);
    }
  }
  return { terms, pairs, matchesItself: isCompany(pod) };
}

/** Whether the node is near the company asked for. It must carry every topology key, even for the first of its kind. */
export function hasCompany({ terms, pairs, matchesItself }: Company, node: Node): boolean {
  const labels: Labels = node.metadata.labels ?? {};
  if (terms.some(({ topologyKey }) => labels[topologyKey] === undefined)) return false;
  if (terms.every(({ topologyKey }) => pairs.has(`${topologyKey}=${labels[topologyKey]}`))) return true;
  return pairs.size === 0 && matchesItself;
}

/** Whether a required anti-affinity of one pod keeps it off every node on which the other is; each other topology is left to the filters. */
export function mayNotShareNode(pod: Pod, other: Pod, world: PlacementView): boolean {
  return antiAffinityTerms(pod).some(
    (term) => term.topologyKey === LABEL.hostname && selects(term, pod, other, world),
  );
}

type Mutable<T> = T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : never;

function take(taken: Mutable<Taken>, term: PodAffinityTerm, node: Node, pod: Pod): void {
  const value = node.metadata.labels?.[term.topologyKey];
  if (value === undefined) return;
  const pair = `${term.topologyKey}=${value}`;
  const held = taken.get(pair);
  if (!held || byKey(pod, held.pod) < 0) taken.set(pair, { pair, pod });
}

/** Whether a term of `owner` selects `other`: its labels, in the owner's namespace unless the term names others. */
export function selects(
  term: PodAffinityTerm,
  owner: Pod,
  other: Pod,
  world: Pick<PlacementView, 'namespaceLabels'>,
): boolean {
  return (
    matchesSelector(term.labelSelector, other.metadata.labels) &&
    coversNamespace(term, owner, other.metadata.namespace ?? '', world)
  );
}

function coversNamespace(
  term: PodAffinityTerm,
  owner: Pod,
  namespace: string,
  world: Pick<PlacementView, 'namespaceLabels'>,
): boolean {
  const named = term.namespaces ?? [];
  if (named.length === 0 && !term.namespaceSelector) return namespace === (owner.metadata.namespace ?? '');
  return (
    named.includes(namespace) || matchesSelector(term.namespaceSelector, world.namespaceLabels(namespace))
  );
}
