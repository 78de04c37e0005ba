import { clusterObjects, type RawObject } from '../../../scenario/cluster.ts';
import type { ScenarioCluster } from '../../../scenario/schema.ts';

interface Counts {
  readonly pods?: string;
}

/** The cluster with its quota on pods as full as it was, now that there are more pods or fewer. */
export function withPodsCounted(cluster: ScenarioCluster): ScenarioCluster {
  const count = clusterObjects(cluster).filter(isCounted).length;
  return { ...cluster, objects: cluster.objects?.map((object) => counting(object, count)) };
}

function isCounted({ kind, metadata }: RawObject): boolean {
  return kind === 'Pod' && (metadata as { readonly namespace?: string }).namespace === 'default';
}

function counting(object: RawObject, count: number): RawObject {
  const { hard, used } = (object.status ?? {}) as { readonly hard?: Counts; readonly used?: Counts };
  if (object.kind !== 'ResourceQuota' || hard?.pods === undefined) return object;
  const free = Number(hard.pods) - Number(used?.pods);
  const now = { pods: String(count + free) };
  return { ...object, spec: { hard: now }, status: { hard: now, used: { pods: String(count) } } };
}
