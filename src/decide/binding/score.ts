/** How much the scheduler likes a node for a pod. kubernetes v1.36 pkg/scheduler/framework/plugins. */
import { matchesNodeTerms } from '../../kubevirt/node-selector.ts';
import type { Node, Pod } from '../../kubevirt/objects.ts';
import type { Amounts } from '../placement/resources.ts';

/** The best that one plugin gives. */
export const BEST_SCORE = 100;

const WEIGHED = ['cpu', 'memory'] as const;

/**
 * How empty a node is once it holds `load`: whole points from 0 (full, or nothing known of what it has) to 100 (empty), CPU and
 * memory in equal parts (noderesources/least_allocated.go).
 */
export function leastAllocatedScore(has: Amounts | undefined, load: Amounts): number {
  const scores = WEIGHED.map((resource) => {
    const capacity = has?.get(resource) ?? 0;
    const taken = load.get(resource) ?? 0;
    if (capacity <= 0 || taken > capacity) return 0;
    return Math.floor(((capacity - taken) * BEST_SCORE) / capacity);
  });
  return Math.floor(scores.reduce((sum, score) => sum + score, 0) / WEIGHED.length);
}

type Preference = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Pod['spec']>['affinity']>['nodeAffinity']
  >['preferredDuringSchedulingIgnoredDuringExecution']
>[number];

/** The preferred node affinities of a pod, each with its weight. */
export function preferencesOf(pod: Pod): readonly Preference[] {
  return pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The weights of the preferred node affinities of a pod that the node meets, added up (nodeaffinity/node_affinity.go Score). */
export function preferenceScore(pod: Pod, node: Node): number {
  return preferencesOf(pod)
    .filter(({ preference }) => matchesNodeTerms([preference], node))
    .reduce((sum, { weight = 0 }) => sum + weight, 0);
}

export interface ScoredNode {
  readonly node: string;
  readonly leastAllocated: number;
  readonly preference: number;
}

/** Node affinity counts twice as much as emptiness (pkg/scheduler/apis/config/v1/default_plugins.go). */
const PREFERENCE_WEIGHT = 2;

/**
 * The nodes by what both plugins say together, best first; equals in their given order. Preferences count relative to the most
 * preferred of the nodes. Other plugins (balance, images, preferred pod affinity, PreferNoSchedule taints) are not asked.
 */
export function rankNodes(nodes: readonly ScoredNode[]): (ScoredNode & { readonly total: number })[] {
  const most = Math.max(0, ...nodes.map(({ preference }) => preference));
  return nodes
    .map((scored) => {
      const preferred = most > 0 ? Math.floor((scored.preference * BEST_SCORE) / most) : 0;
      return { ...scored, total: scored.leastAllocated + PREFERENCE_WEIGHT * preferred };
    })
    .sort((a, b) => b.total - a.total);
}
