import { Fleet } from '../fleet/fleet.ts';
import { isKnownKind } from '../kubevirt/kinds.ts';
import { project } from '../kubevirt/projection.ts';
import { clusterObjects, type RawObject } from '../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../scenario/schema.ts';

/** The fleet that a dump of these objects gives. */
export function fleetOf(objects: readonly RawObject[]): Fleet {
  const fleet = new Fleet();
  for (const object of JSON.parse(JSON.stringify(objects)) as RawObject[]) {
    const kind = String(object.kind);
    if (isKnownKind(kind)) fleet.apply(kind, project(kind, object));
  }
  return fleet;
}

/** A budget over all VMs of a pool. */
export function poolBudget(spec: Readonly<Record<string, unknown>>, name: string, pool = 'web'): RawObject {
  const selector = { matchLabels: { pool } };
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { ...spec, selector },
  };
}

/** VMs of pool web that an eviction shuts down, under a budget that wants so many of them healthy. */
export function webFleet(
  minAvailable: number,
  vms: readonly ScenarioVm[],
  cluster: Partial<ScenarioCluster> = {},
): Fleet {
  const pool = vms.map((vm) => ({ strategy: 'None', labels: { pool: 'web' }, ...vm }));
  const objects = [poolBudget({ minAvailable }, 'guard')];
  return fleetOf(clusterObjects({ nodes: ['n1', 'n2', 'n3'], ...cluster, vms: pool, objects }));
}
