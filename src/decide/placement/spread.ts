/**
 * Topology spread constraints that forbid (`DoNotSchedule`), with the default node policies: nodes that the pod's
 * selector or affinity rules out do not count, taints do not matter.
 * kubernetes pkg/scheduler/framework/plugins/podtopologyspread/filtering.go.
 */

import { matchesMap, matchesNodeTerms } from '../../kubevirt/node-selector.ts';
import type { LabelSelector, Node, Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import type { Presence } from './placed.ts';
import type { PlacementView } from './world.ts';

type Constraint = NonNullable<NonNullable<Pod['spec']>['topologySpreadConstraints']>[number];

/** A constraint with the number of matching pods in each of its domains. */
export interface Spread {
  readonly constraint: Constraint;
  readonly domains: ReadonlyMap<string, number>;
  /** 1 where the pod itself counts. */
  readonly self: number;
}

/** Why a node would break a constraint. `skew` is absent where the node lacks the topology label. */
export interface SpreadProblem {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly skew?: number | undefined;
}

/** `nodeSelector` and the required node affinity together, as the scheduler takes them. */
export function isWantedNode(pod: Pod, node: Node): boolean {
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!matchesMap(pod.spec?.nodeSelector, node.metadata.labels)) return false;
  return required === undefined || matchesNodeTerms(required.nodeSelectorTerms, node);
}

/** The pod's forbidding constraints as things stand. */
export function spreadsOf(pod: Pod, world: PlacementView, presence: Presence): Spread[] {
  const constraints = (pod.spec?.topologySpreadConstraints ?? []).filter(isForbidding);
  if (constraints.length === 0) return [];
  const nodes = world.nodes.filter((node) => isWantedNode(pod, node) && hasAllKeys(node, constraints));
  return constraints.map((constraint) => {
    const labelSelector = selectorOf(constraint, pod);
    const term = { topologyKey: constraint.topologyKey, labelSelector };
    const peers = peersByNode(pod, term, world, presence);
    const domains = new Map<string, number>();
    for (const node of nodes) {
      const domain = node.metadata.labels?.[constraint.topologyKey] ?? '';
      domains.set(domain, (domains.get(domain) ?? 0) + (peers.get(node) ?? 0));
    }
    return { constraint, domains, self: matchesSelector(labelSelector, pod.metadata.labels) ? 1 : 0 };
  });
}

function peersByNode(
  pod: Pod,
  term: PodAffinityTerm,
  world: PlacementView,
  presence: Presence,
): Map<Node, number> {
  const peers = new Map<Node, number>();
  for (const selected of world.selectedBy([term], pod)) {
    for (const [node, pods] of selected.there(presence)) {
      peers.set(node, (peers.get(node) ?? 0) + pods.filter(isStaying).length);
    }
  }
  return peers;
}

function isForbidding({ whenUnsatisfiable }: Constraint): boolean {
  return (whenUnsatisfiable ?? 'DoNotSchedule') === 'DoNotSchedule';
}

function hasAllKeys(node: Node, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ topologyKey }) => node.metadata.labels?.[topologyKey] !== undefined);
}

/** Whether a forbidding constraint of one pod counts another. */
export function mindsInSpread(pod: Pod, other: Pod): boolean {
  const constraints = (pod.spec?.topologySpreadConstraints ?? []).filter(isForbidding);
  return constraints.some(
    (constraint) => isPeer(other, pod) && matchesSelector(selectorOf(constraint, pod), other.metadata.labels),
  );
}

function isPeer(other: Pod, pod: Pod): boolean {
  return other.metadata.namespace === pod.metadata.namespace && isStaying(other);
}

/** Pods on their way out are not counted. */
function isStaying({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** `matchLabelKeys` narrow the selector to pods with the same value as this one; keys that it lacks are ignored. */
function selectorOf({ labelSelector, matchLabelKeys }: Constraint, pod: Pod): LabelSelector | undefined {
  if (!labelSelector || !matchLabelKeys) return labelSelector;
  const labels = pod.metadata.labels ?? {};
  const own = matchLabelKeys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...own] };
}

/** The first constraint that the node would break. */
export function spreadProblem(spreads: readonly Spread[], node: Node): SpreadProblem | undefined {
  for (const { constraint, domains, self } of spreads) {
    const { topologyKey, maxSkew = 1, minDomains = 1 } = constraint;
    const domain = node.metadata.labels?.[topologyKey];
    if (domain === undefined) return { topologyKey, maxSkew };
    const fewest = domains.size < minDomains ? 0 : Math.min(...domains.values());
    const skew = (domains.get(domain) ?? 0) + self - fewest;
    if (skew > maxSkew) return { topologyKey, maxSkew, skew };
  }
  return undefined;
}
