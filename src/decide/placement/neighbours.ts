/**
 * Required affinity and anti-affinity between pods, in topology pairs (`key=value`) of nodes.
 * kubernetes pkg/scheduler/framework/plugins/interpodaffinity/filtering.go.
 */

import { LABEL } from '../../kubevirt/names.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { affinityTerms, antiAffinityTerms, selects } from './affinity-terms.ts';
import type { PodsByNode, Presence } from './placed.ts';
import type { PlacementView } from './world.ts';

/** Domains that are taken, by topology key and value, each with a pod that takes it: of several the first by name. */
export type Taken = ReadonlyMap<string, ReadonlyMap<string, Pod>>;

/** Where the pods are that a required affinity asks for. */
export interface Company {
  readonly terms: readonly PodAffinityTerm[];
  readonly pairs: ReadonlySet<string>;
  /** The pod is itself what it asks for: while nobody else is, it may come first. */
  readonly matchesItself: boolean;
}

/** Pairs from which the pod's own required anti-affinity keeps it. */
export function avoidedBy(pod: Pod, world: PlacementView, presence: Presence): Taken {
  const taken: TakenSoFar = new Map();
  for (const term of antiAffinityTerms(pod)) {
    for (const pods of world.selectedBy([term], pod)) take(taken, term.topologyKey, pods, presence);
  }
  return taken;
}

/** Pairs from which the required anti-affinity of pods in place keeps this pod. */
export function guardedAgainst(pod: Pod, world: PlacementView, presence: Presence): Taken {
  const taken: TakenSoFar = new Map();
  for (const { topologyKey, pods } of world.guardsAgainst(pod)) take(taken, topologyKey, pods, presence);
  return taken;
}

/** The pod in the way on this node, if any of the node's topology pairs is taken. */
export function inTheWay(taken: Taken, node: Node): { pair: string; pod: Pod } | undefined {
  if (taken.size === 0) return undefined;
  const labels: Labels = node.metadata.labels ?? {};
  // Every node is asked for every pod: of the one topology that most avoid, no other label is looked at.
  for (const key of taken.size === 1 ? taken.keys() : Object.keys(labels)) {
    const value = labels[key];
    const pod = value === undefined ? undefined : taken.get(key)?.get(value);
    if (pod) return { pair: `${key}=${value}`, pod };
  }
  return undefined;
}

/** `key=value` of every domain that is taken. */
export function pairsOf(taken: Taken): string[] {
  return [...taken].flatMap(([key, domains]) => [...domains.keys()].map((value) => `${key}=${value}`));
}

/** Where the company is that the pod's required affinity asks for: pods that all of its terms select. */
export function companyOf(pod: Pod, world: PlacementView, presence: Presence): Company {
  const terms = affinityTerms(pod);
  const pairs = new Set<string>();
  for (const pods of terms.length > 0 ? world.selectedBy(terms, pod) : []) {
    for (const { node } of pods.firsts(presence)) {
      for (const { topologyKey } of terms) {
        const value = node.metadata.labels?.[topologyKey];
        if (value !== undefined) pairs.add(`${topologyKey}=${value}`);
      }
    }
  }
  return { terms, pairs, matchesItself: terms.every((term) => selects(term, pod, pod, world)) };
}

/** Whether the node is near the company asked for. It must carry every topology key, even for the first of its kind. */
export function hasCompany({ terms, pairs, matchesItself }: Company, node: Node): boolean {
  const labels: Labels = node.metadata.labels ?? {};
  if (terms.some(({ topologyKey }) => labels[topologyKey] === undefined)) return false;
  if (terms.every(({ topologyKey }) => pairs.has(`${topologyKey}=${labels[topologyKey]}`))) return true;
  return pairs.size === 0 && matchesItself;
}

/**
 * Pods in place that may not be on the pod's node, by a required anti-affinity of its own or of theirs; each other topology is left to the
 * filters. Those that a term selects come together, and the same ones as often as that term is asked about; the pod may be one of them.
 */
export function keptOffNodeOf(pod: Pod, world: PlacementView): readonly PodsByNode[] {
  const avoided = antiAffinityTerms(pod)
    .filter(isOfNodes)
    .flatMap((term) => [...world.selectedBy([term], pod)]);
  const avoiding = [...world.guardsAgainst(pod)].filter(isOfNodes).map(({ pods }) => pods);
  return [...avoided, ...avoiding];
}

function isOfNodes({ topologyKey }: Pick<PodAffinityTerm, 'topologyKey'>): boolean {
  return topologyKey === LABEL.hostname;
}

type TakenSoFar = Map<string, Map<string, Pod>>;

function take(taken: TakenSoFar, topologyKey: string, pods: PodsByNode, presence: Presence): void {
  const domains = taken.get(topologyKey) ?? new Map<string, Pod>();
  for (const { pod, node } of pods.firsts(presence)) {
    const value = node.metadata.labels?.[topologyKey];
    if (value === undefined) continue;
    const held = domains.get(value);
    if (!held || byKey(pod, held) < 0) domains.set(value, pod);
  }
  if (domains.size > 0) taken.set(topologyKey, domains);
}
