/** What a new lab begins with: KubeVirt as it is once installed, nodes and VMs. */
import { deploymentIdOf } from '../../decide/operator/update.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import { KUBEVIRT_DEPLOYED } from '../../kubevirt/names.ts';
import type { NodeDescription } from '../../simulation/actors/node/node-objects.ts';

export const KUBEVIRT_NAMESPACE = 'kubevirt';
const LAUNCHER = 'virt-launcher';
const REGISTRY = 'kubevirt';

/** The image of launchers of a release, as virt-operator names it: `kubevirt/virt-launcher:v1.9.0`. */
export function launcherImageOf(version: string, registry = REGISTRY): string {
  return `${registry}/${LAUNCHER}:${version}`;
}

/** Where the images of a launcher's release come from; undefined of an image with another name. */
export function registryOf(launcherImage: string): string | undefined {
  const at = launcherImage.lastIndexOf(`/${LAUNCHER}`);
  return at < 0 ? undefined : launcherImage.slice(0, at);
}

/** The KubeVirt CR of a cluster where a release is installed: VMs are moved before they are evicted. */
export function kubevirtOf(version: string): JsonObject {
  const deploymentId = deploymentIdOf(version, launcherImageOf(version));
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: KUBEVIRT_NAMESPACE },
    spec: {
      imageTag: version,
      configuration: {
        evictionStrategy: 'LiveMigrate',
        vmRolloutStrategy: 'LiveUpdate',
        migrations: { parallelMigrationsPerCluster: 5, parallelOutboundMigrationsPerNode: 2 },
      },
      workloadUpdateStrategy: {
        workloadUpdateMethods: ['LiveMigrate', 'Evict'],
        batchEvictionSize: 10,
        batchEvictionInterval: '1m0s',
      },
    },
    status: {
      phase: KUBEVIRT_DEPLOYED,
      observedDeploymentID: deploymentId,
      targetDeploymentID: deploymentId,
      observedKubeVirtVersion: version,
      targetKubeVirtVersion: version,
      defaultArchitecture: 'amd64',
      conditions: [
        { type: 'Available', status: 'True', reason: 'AllComponentsReady' },
        { type: 'Progressing', status: 'False', reason: 'AllComponentsReady' },
        { type: 'Degraded', status: 'False', reason: 'AllComponentsReady' },
      ],
    },
  };
}

/** virt-controller, whose arguments say what launchers are started from; its pods run on the lab's nodes. */
export function virtControllerOf(launcherImage: string, namespace: string): JsonObject {
  const labels = { 'kubevirt.io': 'virt-controller' };
  const container = {
    name: 'virt-controller',
    image: launcherImage.replace('virt-launcher', 'virt-controller'),
    args: ['--launcher-image', launcherImage],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'virt-controller', namespace, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** `n01`, `n02`, …: so that they sort. With the role that most installers give to nodes for workloads. */
export function nodesOf(count: number): NodeDescription[] {
  const labels = { 'node-role.kubernetes.io/worker': '' };
  return Array.from({ length: count }, (_, i) => ({ name: `n${numbered(i + 1, count)}`, labels }));
}

/**
 * VMs of several kinds, in the namespace `default`: most can be moved; one in ten has a strategy that lets it be shut down, one
 * in twenty a bridge to the pod network, which keeps it where it is.
 */
export function vmsOf(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, i) => vm(`vm-${numbered(i + 1, count)}`, i));
}

function vm(name: string, index: number): JsonObject {
  const isBridged = index % 20 === 19;
  const strategy = index % 10 === 4 ? { evictionStrategy: 'None' } : {};
  const attached = isBridged ? { bridge: {} } : { masquerade: {} };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default', labels: { app: isBridged ? 'bridged' : 'web' } },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { vm: name } },
        spec: {
          ...strategy,
          terminationGracePeriodSeconds: 30,
          domain: {
            cpu: { sockets: 1, cores: 1, threads: 1 },
            memory: { guest: '1Gi' },
            devices: { interfaces: [{ name: 'default', ...attached }] },
          },
          networks: [{ name: 'default', pod: {} }],
        },
      },
    },
  };
}

function numbered(number: number, count: number): string {
  return String(number).padStart(Math.max(2, String(count).length), '0');
}
