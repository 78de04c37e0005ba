import { managedFields } from './managed-fields.ts';
import type { Chance } from './random.ts';
import { CURRENT_IMAGE, daysAgo, FLEET_NOW, isPlaced, secondsAfter, type Traits } from './traits.ts';
import type { GeneratedVmiSpec } from './vmi.ts';
import { migrationUidOf } from './vmi-status.ts';

/** The KubeVirt CR: both update methods, cluster strategy LiveMigrate, deployed. */
export function kubevirtOf(chance: Chance): object {
  const deploymentId = chance.hex(40);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: {
      name: 'kubevirt',
      namespace: 'kubevirt',
      uid: chance.uuid(),
      resourceVersion: '4711',
      generation: 3,
      creationTimestamp: daysAgo(chance, 10),
    },
    spec: {
      workloadUpdateStrategy: {
        workloadUpdateMethods: ['LiveMigrate', 'Evict'],
        batchEvictionSize: 10,
        batchEvictionInterval: '1m0s',
      },
      configuration: { evictionStrategy: 'LiveMigrate' },
    },
    status: {
      phase: 'Deployed',
      observedDeploymentID: deploymentId,
      targetDeploymentID: deploymentId,
      observedKubeVirtVersion: 'v1.9.0',
      targetKubeVirtVersion: 'v1.9.0',
      outdatedVirtualMachineInstanceWorkloads: 0,
    },
  };
}

/** virt-controller's Deployment, whose arguments say which launcher image is current. */
export function virtControllerOf(chance: Chance): object {
  const args = ['--launcher-image', CURRENT_IMAGE, '--port', '8443', '-v', '2'];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'virt-controller',
      namespace: 'kubevirt',
      uid: chance.uuid(),
      labels: { 'kubevirt.io': 'virt-controller' },
    },
    spec: {
      replicas: 2,
      template: { spec: { containers: [{ name: 'virt-controller', command: ['virt-controller'], args }] } },
    },
  };
}

export function nodeOf(name: string, index: number, chance: Chance): object {
  const unschedulable = index % 50 === 7;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: chance.uuid(),
      resourceVersion: String(1_000_000 + chance.int(9_000_000)),
      labels: {
        'kubernetes.io/hostname': name,
        'kubevirt.io/schedulable': 'true',
        'node-role.kubernetes.io/worker': '',
        'topology.kubernetes.io/zone': `zone-${index % 3}`,
      },
    },
    spec: unschedulable
      ? { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }], unschedulable }
      : {},
    status: {
      allocatable: { cpu: '256', memory: '4Ti', 'devices.kubevirt.io/kvm': '1k' },
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: secondsAfter(FLEET_NOW, -86_400) }],
    },
  };
}

export function vmOf(traits: Traits, spec: GeneratedVmiSpec, halted: boolean, chance: Chance): object {
  const apiVersion = 'kubevirt.io/v1';
  const runStrategy = halted ? 'Halted' : traits.runStrategy;
  const template = { metadata: { creationTimestamp: null, labels: { app: traits.app } }, spec };
  return {
    apiVersion,
    kind: 'VirtualMachine',
    metadata: {
      name: traits.name,
      namespace: traits.namespace,
      uid: traits.vmUid,
      creationTimestamp: traits.createdAt,
      generation: traits.generation,
      resourceVersion: String(1_000_000 + chance.int(9_000_000)),
      finalizers: ['kubevirt.io/virtualMachineControllerFinalize'],
      labels: { app: traits.app },
      annotations: {
        'kubevirt.io/latest-observed-api-version': 'v1',
        'kubevirt.io/storage-observed-api-version': 'v1',
      },
      managedFields: [
        managedFields('kubectl-client-side-apply', traits.createdAt, apiVersion, { spec: { template } }),
      ],
    },
    spec: { runStrategy, template },
    status: vmStatusOf(traits, runStrategy),
  };
}

function vmStatusOf(traits: Traits, runStrategy: string): object {
  const ready = runStrategy !== 'Halted' && traits.phase === 'Running';
  return {
    ...(runStrategy === 'Halted' ? {} : { created: true }),
    ready,
    printableStatus: ready ? 'Running' : 'Stopped',
    runStrategy,
    observedGeneration: traits.generation,
    desiredGeneration: traits.generation,
    conditions: [
      {
        type: 'Ready',
        status: ready ? 'True' : 'False',
        lastProbeTime: null,
        lastTransitionTime: secondsAfter(FLEET_NOW, -3600),
      },
    ],
  };
}

/** The launcher pod of a VMI that is not final. */
export function podOf(traits: Traits, chance: Chance): object {
  const { app, name, namespace, podName, vmiUid } = traits;
  const metadata = {
    name: podName,
    namespace,
    uid: traits.podUid,
    resourceVersion: String(1_000_000 + chance.int(9_000_000)),
    creationTimestamp: traits.createdAt,
    labels: {
      'kubevirt.io': 'virt-launcher',
      'kubevirt.io/created-by': vmiUid,
      'vm.kubevirt.io/name': name,
      app,
      ...(isPlaced(traits) ? { 'kubevirt.io/nodeName': traits.nodeName } : {}),
    },
    annotations: {
      'kubevirt.io/domain': name,
      'kubectl.kubernetes.io/default-container': 'compute',
      'kubevirt.io/migrationTransportUnix': 'true',
      'post.hook.backup.velero.io/command': '["/usr/bin/virt-freezer", "--unfreeze"]',
    },
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name,
        uid: vmiUid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
  const spec = podSpecOf(traits);
  const managers = [managedFields('virt-controller', traits.createdAt, 'v1', { metadata, spec })];
  const status = podStatusOf(traits);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, managedFields: managers },
    spec,
    status,
  };
}

function podSpecOf(traits: Traits) {
  const command = ['/usr/bin/virt-launcher-monitor', '--qemu-timeout', '344s', '--name', traits.name];
  command.push('--uid', traits.vmiUid, '--namespace', traits.namespace, '--run-as-nonroot');
  const requests = { cpu: '200m', memory: '2313Mi' };
  const resources = { limits: { 'devices.kubevirt.io/kvm': '1' }, requests };
  return {
    containers: [{ name: 'compute', image: traits.image ?? CURRENT_IMAGE, command, resources }],
    ...(isPlaced(traits) ? { nodeName: traits.nodeName } : {}),
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 210,
    automountServiceAccountToken: false,
  };
}

function podStatusOf(traits: Traits): object {
  const phase = isPlaced(traits) ? 'Running' : 'Pending';
  const running = { startedAt: traits.createdAt };
  const image = traits.image ?? CURRENT_IMAGE;
  return {
    phase,
    hostIP: '192.168.66.101',
    podIP: '10.138.161.133',
    qosClass: 'Burstable',
    conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }],
    containerStatuses: [{ name: 'compute', image, ready: true, restartCount: 0, state: { running } }],
  };
}

/** The migration objects that lie about for a VM: finished ones, the one under way, a pending one. */
export function migrationsOf(traits: Traits, chance: Chance): object[] {
  const found: object[] = [];
  if (chance.percent(10))
    found.push(migrationOf(traits, chance, chance.percent(95) ? 'Succeeded' : 'Failed'));
  if (traits.migration === 'running') found.push(migrationOf(traits, chance, 'Running'));
  else if (traits.phase === 'Running' && chance.percent(0.3))
    found.push(migrationOf(traits, chance, 'Pending'));
  return found;
}

function migrationOf(traits: Traits, chance: Chance, phase: string): object {
  const update = chance.percent(50);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: {
      name: `${update ? 'kubevirt-workload-update-' : 'migration-'}${chance.hex(8)}`,
      namespace: traits.namespace,
      uid: phase === 'Running' ? migrationUidOf(traits) : chance.uuid(),
      resourceVersion: String(1_000_000 + chance.int(9_000_000)),
      creationTimestamp: phase === 'Running' ? secondsAfter(FLEET_NOW, -60) : daysAgo(chance, chance.int(20)),
      labels: { 'kubevirt.io/vmi-name': traits.name },
      ...(update ? { annotations: { 'kubevirt.io/workloadUpdateMigration': '' } } : {}),
    },
    spec: { vmiName: traits.name },
    status: { phase },
  };
}
