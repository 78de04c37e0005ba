import { DEFAULT_NAMESPACE, isNamespaced, knownKind } from '../kubevirt/kinds.ts';
import { CONDITION, DEVICE, LABEL, NODE_LABEL_PREFIX } from '../kubevirt/names.ts';
import { drawFleet } from './fleet.ts';
import type { ScenarioCluster, ScenarioNode } from './schema.ts';
import { vmObjects } from './vm.ts';

/** A Kubernetes object as it stands in a dump. */
export type RawObject = Record<string, unknown>;

/** The namespace of VMs, and of objects that name none. */
export function namespaceOf({ namespace }: Pick<ScenarioCluster, 'namespace'>): string {
  return namespace ?? DEFAULT_NAMESPACE;
}

/**
 * The objects of a scenario's cluster, as `kubectl get -o json` would list them.
 *
 * Promise: the same cluster gives the same objects; UIDs are made of names. Order: KubeVirt, nodes, then each VM's own, then
 * the given objects.
 */
export function clusterObjects(cluster: ScenarioCluster): RawObject[] {
  const namespace = namespaceOf(cluster);
  const drawn = cluster.fleet ? drawFleet(cluster.fleet) : { nodes: [], vms: [] };
  return [
    kubevirt(cluster),
    ...[...cluster.nodes, ...drawn.nodes].map(node),
    ...[...cluster.vms, ...drawn.vms].flatMap((vm) => vmObjects(vm, namespace)),
    ...(cluster.objects ?? []).map((object) => withNamespace(object, namespace)),
  ];
}

function kubevirt({ kubevirt: given = {} }: ScenarioCluster): RawObject {
  const { version = 'v1.9.0', phase = 'Deployed', observed = 'd1', target = 'd1' } = given;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: {
      configuration: {
        ...given.configuration,
        evictionStrategy: given.evictionStrategy,
        vmRolloutStrategy: given.vmRolloutStrategy,
        migrations: given.migrations,
      },
      workloadUpdateStrategy: {
        workloadUpdateMethods: given.methods,
        batchEvictionSize: given.batchEvictionSize,
        batchEvictionInterval: given.batchEvictionInterval,
      },
    },
    status: {
      phase,
      observedDeploymentID: observed,
      targetDeploymentID: target,
      observedKubeVirtVersion: version,
      defaultArchitecture: 'amd64',
    },
  };
}

/** What virt-handler tells of a node. */
const DEVICES = Object.fromEntries(Object.values(DEVICE).map((device) => [device, '1k']));
const CPU_MODEL = 'Skylake-Server';
const CPU_LABELS = {
  [`${NODE_LABEL_PREFIX.cpuModel}${CPU_MODEL}`]: 'true',
  [`${NODE_LABEL_PREFIX.cpuModelMigration}${CPU_MODEL}`]: 'true',
  [`${NODE_LABEL_PREFIX.cpuVendor}Intel`]: 'true',
  [`${NODE_LABEL_PREFIX.hostModelCpu}${CPU_MODEL}`]: 'true',
  [`${NODE_LABEL_PREFIX.machineType}q35`]: 'true',
};

/** A node that is but named has nothing but its name. */
export function describedNode(given: ScenarioNode): Exclude<ScenarioNode, string> {
  return typeof given === 'string' ? { name: given } : given;
}

function node(given: ScenarioNode): RawObject {
  const { name, labels, taints, unschedulable, allocatable, ...size } = describedNode(given);
  const { cpu = 64, memory = '256Gi' } = size;
  const resources = { cpu: String(cpu), memory, pods: '250', ...DEVICES, ...allocatable };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        [LABEL.hostname]: name,
        [LABEL.arch]: 'amd64',
        [LABEL.schedulable]: 'true',
        ...CPU_LABELS,
        ...labels,
      },
    },
    spec: { taints, unschedulable },
    status: {
      allocatable: resources,
      capacity: resources,
      conditions: [{ type: CONDITION.ready, status: 'True' }],
    },
  };
}

function withNamespace(object: RawObject, namespace: string): RawObject {
  const metadata = (object.metadata ?? {}) as RawObject;
  const kind = knownKind(String(object.apiVersion), String(object.kind));
  return kind && !isNamespaced(kind) ? object : { ...object, metadata: { namespace, ...metadata } };
}
