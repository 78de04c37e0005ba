import { parseQuantity } from '../../../kubevirt/quantity.ts';
import { clusterObjects, type RawObject } from '../../../scenario/cluster.ts';
import type { ScenarioCluster } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** Between what is asked for together, since launchers that are made anew ask for a little more. */
const MILLIS = [50, 290, 2900, 8900] as const;

/** A quota on processors, memory or both, that what runs has nearly used up. */
export function quotas(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const millis = usedOf(cluster, 'cpu', 1000);
  const mebibytes = usedOf(cluster, 'memory', 2 ** -20);
  const used = {
    ...(draws.percent(70) && { 'requests.cpu': `${millis}m` }),
    ...(draws.percent(40) && { 'requests.memory': `${mebibytes}Mi` }),
  };
  const most = {
    'requests.cpu': `${millis + draws.pick(...MILLIS)}m`,
    'requests.memory': `${mebibytes + draws.pick(512, 40_960)}Mi`,
  };
  const hard = Object.fromEntries(Object.entries(most).filter(([name]) => name in used));
  const quota = {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'amounts' } },
    ...{ spec: { hard }, status: { hard, used } },
  };
  return { ...trial, cluster: { ...cluster, objects: [...(cluster.objects ?? []), quota] } };
}

interface PodOfCluster {
  readonly metadata: { readonly namespace?: string };
  readonly spec: {
    readonly containers: readonly { readonly resources?: { readonly requests?: RawObject } }[];
  };
}

/** What the pods of the namespace ask for, in units of which so many make one. */
function usedOf(cluster: ScenarioCluster, resource: string, unitsInOne: number): number {
  const pods = clusterObjects(cluster).filter(({ kind }) => kind === 'Pod') as unknown as PodOfCluster[];
  const here = pods.filter(({ metadata }) => metadata.namespace === 'default');
  const amounts = here.flatMap(({ spec }) =>
    spec.containers.map(({ resources }) => parseQuantity(String(resources?.requests?.[resource] ?? 0)) ?? 0),
  );
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * unitsInOne);
}
