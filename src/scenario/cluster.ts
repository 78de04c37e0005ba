import { DEFAULT_NAMESPACE, isNamespaced, knownKind } from '../kubevirt/kinds.ts';
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
const DEVICES = {
  'devices.kubevirt.io/kvm': '1k',
  'devices.kubevirt.io/tun': '1k',
  'devices.kubevirt.io/vhost-net': '1k',
};
const CPU_LABELS = {
  'cpu-model.node.kubevirt.io/Skylake-Server': 'true',
  'cpu-model-migration.node.kubevirt.io/Skylake-Server': 'true',
  'cpu-vendor.node.kubevirt.io/Intel': 'true',
  'host-model-cpu.node.kubevirt.io/Skylake-Server': 'true',
  'machine-type.node.kubevirt.io/q35': 'true',
};

function node(given: ScenarioNode): RawObject {
  const {
    name,
    labels,
    taints,
    unschedulable,
    cpu = 64,
    memory = '256Gi',
    allocatable: more,
  } = typeof given === 'string' ? { name: given } : given;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubevirt.io/schedulable': 'true',
        ...CPU_LABELS,
        ...labels,
      },
    },
    spec: { taints, unschedulable },
    status: {
      allocatable: { cpu: String(cpu), memory, pods: '250', ...DEVICES, ...more },
      capacity: { cpu: String(cpu), memory, pods: '250', ...DEVICES, ...more },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}

function withNamespace(object: RawObject, namespace: string): RawObject {
  const metadata = (object.metadata ?? {}) as RawObject;
  const kind = knownKind(String(object.apiVersion), String(object.kind));
  return kind && !isNamespaced(kind) ? object : { ...object, metadata: { namespace, ...metadata } };
}
