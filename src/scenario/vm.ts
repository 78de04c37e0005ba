import { launcherNodeSelector } from '../decide/launcher/launcher-placement.ts';
import { computeResources } from '../decide/launcher/launcher-resources.ts';
import { withVmStatus } from '../decide/vm/vm-status.ts';
import { type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';
import { mergePatched } from '../kubevirt/merge-patch.ts';
import { FINALIZER } from '../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../kubevirt/objects.ts';
import { formatBytes, parseQuantity } from '../kubevirt/quantity.ts';
import { extended, recordOf } from '../kubevirt/shapes.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { RawObject } from './cluster.ts';
import type { ScenarioVm } from './schema.ts';

const DEFAULT_LAUNCHER = 'L1';
/** When its VMs were up. */
const UP_SINCE = '2026-03-01T10:01:00Z';
const SETTLED_AT: Instant = Date.parse(UP_SINCE);

/** What a VM of a scenario consists of: VM (unless standalone), VMI, launcher pod, attachment pod. A halted VM is only a VM. */
export function vmObjects(vm: ScenarioVm, namespace: string): RawObject[] {
  const runs = vm.phase === 'Stopped' ? undefined : vmi(vm, namespace);
  const owner = vm.standalone ? [] : [virtualMachine(vm, namespace, runs)];
  if (!runs) return owner;
  const launchers = vm.node || isWaiting(vm) ? [launcherPod(vm, namespace, runs)] : [];
  const attachments = vm.node && vm.hotplugged ? [attachmentPod(vm, namespace)] : [];
  return [...owner, runs, ...launchers, ...attachments];
}

/** It has a launcher, which is not up: on its node, or without one yet. */
function isWaiting({ phase }: ScenarioVm): boolean {
  return phase === 'Scheduling';
}

/** As its controller has left it, which has nothing to write when a scenario begins. */
function virtualMachine(vm: ScenarioVm, namespace: string, runs: RawObject | undefined): RawObject {
  const bare = bareVirtualMachine(vm, namespace) as unknown as VirtualMachine;
  const status = { vmi: runs as unknown as Vmi | undefined, now: SETTLED_AT, chance: 0 };
  return withVmStatus(bare, status) as unknown as RawObject;
}

function bareVirtualMachine(vm: ScenarioVm, namespace: string): RawObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      ...{ name: vm.name, namespace, uid: `vm-${vm.name}`, labels: vm.labels },
      finalizers: [FINALIZER.vmController],
    },
    spec: {
      runStrategy: vm.runStrategy ?? 'Always',
      template: {
        metadata: { labels: vm.labels },
        spec: extended(commonSpec(vm), { evictionStrategy: vm.templateStrategy }),
      },
    },
    status: { runStrategy: vm.runStrategy ?? 'Always' },
  };
}

function commonSpec(vm: ScenarioVm): RawObject {
  return mergePatched<RawObject>(saidSpec(vm), vm.spec ?? {});
}

function saidSpec(vm: ScenarioVm): RawObject {
  return {
    terminationGracePeriodSeconds: vm.graceSeconds,
    nodeSelector: vm.nodeSelector,
    ...placementOf(vm),
    domain: {
      cpu: { sockets: vm.sockets ?? 1, cores: 1, threads: 1 },
      memory: { guest: vm.memory ?? '1Gi' },
      resources: vm.cpu === undefined ? undefined : { requests: { cpu: String(vm.cpu) } },
      features: vm.acpi === undefined ? undefined : { acpi: { enabled: vm.acpi } },
      devices: { interfaces: [{ name: 'default', masquerade: {} }] },
    },
    networks: [{ name: 'default', pod: {} }],
    volumes: [
      ...mountedVolumes(vm),
      ...(vm.hotplugged
        ? [{ name: PLUGGED, persistentVolumeClaim: { ...claimOf(vm, PLUGGED), hotpluggable: true } }]
        : []),
    ],
  };
}

/** What a VMI passes on to its launchers as it is. */
function placementOf({ affinity, tolerations, topologySpreadConstraints }: ScenarioVm): RawObject {
  return { affinity, tolerations, topologySpreadConstraints };
}

/** The volume that an attachment pod brings, and the network that a migration brings. */
const PLUGGED = 'plugged';

/** Those that are not plugged in. */
function mountedVolumes(vm: ScenarioVm): RawObject[] {
  return Object.keys(vm.claims ?? {}).map((name) => ({ name, persistentVolumeClaim: claimOf(vm, name) }));
}

function claimOf(vm: ScenarioVm, volume: string): RawObject {
  return { claimName: `${vm.name}-${volume}` };
}

function volumeStatus(vm: ScenarioVm): RawObject[] {
  const { name } = vm;
  const mounted = Object.entries(vm.claims ?? {}).map(([volume, accessModes]) => ({
    name: volume,
    persistentVolumeClaimInfo: { ...claimOf(vm, volume), accessModes },
  }));
  if (!vm.hotplugged) return mounted;
  const hotplugVolume = { attachPodName: `hp-volume-${name}`, attachPodUID: `hp-${name}` };
  return [...mounted, { name: PLUGGED, phase: 'Ready', hotplugVolume }];
}

/** The memory up to which a guest can be given more while it runs, as VMIs are made: four times, from 1 GiB on. */
function roomToGrow(memory: string): string | undefined {
  const bytes = parseQuantity(memory) ?? 0;
  return bytes < 1024 ** 3 ? undefined : formatBytes(Math.ceil(bytes) * 4);
}

function vmi(vm: ScenarioVm, namespace: string): RawObject {
  const common = commonSpec(vm);
  const domain = common.domain as RawObject;
  const node = isWaiting(vm) ? undefined : vm.node;
  const phase = vm.phase ?? 'Running';
  const cpu = extended(domain.cpu as RawObject, { maxSockets: vm.maxSockets ?? 4 });
  const memory = extended(domain.memory as RawObject, { maxGuest: roomToGrow(vm.memory ?? '1Gi') });
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    name: vm.name,
    uid: `vm-${vm.name}`,
    controller: true,
  };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: vm.name,
      namespace,
      uid: `vmi-${vm.name}`,
      labels: { ...vm.labels, ...(node && { 'kubevirt.io/nodeName': node }) },
      ownerReferences: vm.standalone ? undefined : [owner],
      deletionTimestamp: vm.deleting ? '2026-03-01T11:59:00Z' : undefined,
    },
    spec: withPluggedNetwork(
      extended(common, { domain: { ...domain, cpu, memory }, evictionStrategy: vm.strategy }),
      vm,
    ),
    status: {
      phase,
      phaseTransitionTimestamps: [
        { phase: isWaiting(vm) ? phase : 'Running', phaseTransitionTimestamp: UP_SINCE },
      ],
      selinuxContext: 'none',
      migrationMethod: 'BlockMigration',
      migrationTransport: 'Unix',
      activePods: vm.node ? recordOf([[`pod-${vm.name}`, vm.node]]) : undefined,
      nodeName: node,
      launcherContainerImageVersion: vm.launcher ?? DEFAULT_LAUNCHER,
      evacuationNodeName: vm.marked,
      conditions: conditions(vm),
      interfaces: node ? interfacesIn(domain) : undefined,
      currentCPUTopology: { sockets: vm.sockets ?? 1, cores: 1, threads: 1 },
      memory: {
        guestAtBoot: vm.memory ?? '1Gi',
        guestCurrent: vm.memory ?? '1Gi',
        guestRequested: vm.memory ?? '1Gi',
      },
      volumeStatus: volumeStatus(vm),
      migratedVolumes: vm.migratedVolumes?.map((volumeName) => ({ volumeName })),
    },
  };
}

/** Those that its guest has: the first one of the pod network. */
function interfacesIn(domain: RawObject): RawObject[] {
  const interfaces = objectsAt(objectAt(domain as JsonObject, 'devices'), 'interfaces');
  return interfaces.map(({ name }, index) => (index === 0 ? { name, ipAddress: '10.244.0.9' } : { name }));
}

/** A migration is required for a network that its guest has not yet: the VMI's spec has it, its status has not. */
function withPluggedNetwork(spec: RawObject, { conditions: told }: ScenarioVm): RawObject {
  if (told?.MigrationRequired !== 'True') return spec;
  const domain = spec.domain as RawObject;
  const devices = objectAt(domain as JsonObject, 'devices');
  const interfaces = objectsAt(devices, 'interfaces');
  const plugged = { name: PLUGGED, bridge: {} };
  return {
    ...spec,
    domain: { ...domain, devices: { ...devices, interfaces: [...interfaces, plugged] } },
    networks: [
      ...objectsAt(spec as JsonObject, 'networks'),
      { name: PLUGGED, multus: { networkName: PLUGGED } },
    ],
  };
}

function conditions(vm: ScenarioVm): RawObject[] {
  const liveMigratable =
    vm.migratable === true
      ? [{ type: 'LiveMigratable', status: 'True' }]
      : vm.migratable === undefined
        ? []
        : [{ type: 'LiveMigratable', status: 'False', reason: vm.migratable, message: vm.message }];
  const isUp = vm.node !== undefined && (vm.phase ?? 'Running') === 'Running';
  const others = Object.entries({ ...(isUp && { Ready: 'True' }), ...vm.conditions }).map(
    ([type, status]) => ({ type, status }),
  );
  return [...liveMigratable, ...others];
}

function launcherPod(vm: ScenarioVm, namespace: string, runs: RawObject): RawObject {
  const typed = runs as unknown as Vmi;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `virt-launcher-${vm.name}-00000`,
      namespace,
      uid: `pod-${vm.name}`,
      creationTimestamp: '2026-03-01T10:00:00Z',
      labels: {
        ...vm.labels,
        ...{ 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': `vmi-${vm.name}` },
        ...(vm.node && !isWaiting(vm) && { 'kubevirt.io/nodeName': vm.node }),
      },
      annotations: { 'kubevirt.io/domain': vm.name },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: vm.name,
          uid: `vmi-${vm.name}`,
          controller: true,
        },
      ],
    },
    spec: {
      nodeName: vm.node,
      nodeSelector: launcherNodeSelector(typed),
      ...placementOf(vm),
      terminationGracePeriodSeconds: (vm.graceSeconds ?? 30) + 30,
      // As KubeVirt makes it: who starts anew or moves asks for as much, and a little more for its console.
      containers: [
        {
          name: 'compute',
          image: vm.launcher || DEFAULT_LAUNCHER,
          resources: computeResources(typed),
        },
      ],
      volumes: [{ name: 'private', emptyDir: {} }, ...mountedVolumes(vm)],
    },
    status: isWaiting(vm)
      ? { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: vm.node ? 'True' : 'False' }] }
      : { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function attachmentPod(vm: ScenarioVm, namespace: string): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `hp-volume-${vm.name}`,
      namespace,
      uid: `hp-${vm.name}`,
      labels: { 'kubevirt.io': 'hotplug-disk' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          name: `virt-launcher-${vm.name}-00000`,
          uid: `pod-${vm.name}`,
          controller: true,
        },
      ],
    },
    spec: {
      nodeName: vm.node,
      containers: [
        {
          name: 'hotplug-disk',
          image: DEFAULT_LAUNCHER,
          resources: { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } },
        },
      ],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        { name: PLUGGED, persistentVolumeClaim: claimOf(vm, PLUGGED) },
      ],
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
