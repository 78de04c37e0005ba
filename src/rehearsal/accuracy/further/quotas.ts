import { type Amounts, loadOf } from '../../../decide/placement/resources.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { clusterObjects } from '../../../scenario/cluster.ts';
import type { ScenarioCluster } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** Between what is asked for together, since launchers that are made anew ask for a little more. */
const MILLIS = [50, 290, 2900, 8900] as const;

/** A quota on processors, memory or both, that what runs has nearly used up. */
export function quotas(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const load = usedIn(cluster);
  const millis = load.get('cpu') ?? 0;
  const mebibytes = Math.ceil((load.get('memory') ?? 0) / 2 ** 20);
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

/** What the pods of the namespace ask for together. */
function usedIn(cluster: ScenarioCluster): Amounts {
  const objects = clusterObjects(cluster) as unknown as readonly (Pod & { readonly kind: string })[];
  return loadOf(objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.namespace === 'default'));
}
