import type { Behavior } from '../../decide/rules.ts';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import type { VmVerdict } from '../forecast.ts';
import { planDrain } from '../plans/drain.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

export function upgraded(
  cluster: Partial<ScenarioCluster>,
  behavior: Behavior = 'exact',
): Map<string, VmVerdict> {
  const kubevirt = { methods: ['LiveMigrate', 'Evict'], ...cluster.kubevirt };
  const objects = clusterObjects({ nodes: ['n1', 'n2'], vms: [], ...cluster, kubevirt });
  const options = { now: 0, behavior };
  const { status } = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, options);
  return new Map(status.vms.map((verdict) => [verdict.name, verdict]));
}

export function drained(vms: readonly ScenarioVm[], objects: RawObject[]): Map<string, VmVerdict> {
  const cluster = clusterObjects({ nodes: ['n1', 'n2'], vms: [...vms], objects });
  const { status } = planDrain(fleetOf(cluster), { ...DRAIN_DEFAULTS, nodes: ['n1'] }, { now: 0 });
  return new Map(status.vms.map((verdict) => [verdict.name, verdict]));
}

export const big: ScenarioVm = { name: 'big', node: 'n1', migratable: true, strategy: 'LiveMigrate', cpu: 6 };
export const small = (change: Partial<ScenarioVm>): ScenarioVm => ({
  name: 'small',
  node: 'n2',
  cpu: 6,
  ...change,
});
export const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n2' } };
