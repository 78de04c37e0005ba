/** The VMI of a VM of a scenario, as KubeVirt would have it by now. */
import { type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';
import { CONDITION, LABEL } from '../kubevirt/names.ts';
import { formatBytes, parseQuantity } from '../kubevirt/quantity.ts';
import { extended, recordOf } from '../kubevirt/shapes.ts';
import type { RawObject } from './cluster.ts';
import type { ScenarioVm } from './schema.ts';
import { claimOf, guestSpec, PLUGGED } from './vm-spec.ts';

/** What launchers run that nobody says anything about. */
export const DEFAULT_LAUNCHER = 'L1';
/** When guests came up. */
export const UP_SINCE = '2026-03-01T10:01:00Z';

/** It has a launcher, which is not up: on its node, or without one yet. */
export function isWaiting({ phase }: ScenarioVm): boolean {
  return phase === 'Scheduling';
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

/** A VMI that is Running, unless the VM says otherwise. */
export function vmi(vm: ScenarioVm, namespace: string): RawObject {
  const common = guestSpec(vm);
  const domain = common.domain as RawObject;
  const node = nodeOf(vm);
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
      labels: { ...vm.labels, ...(node && { [LABEL.nodeName]: node }) },
      ownerReferences: vm.standalone ? undefined : [owner],
      deletionTimestamp: vm.deleting ? '2026-03-01T11:59:00Z' : undefined,
    },
    spec: withPluggedNetwork(
      extended(common, { domain: { ...domain, cpu, memory }, evictionStrategy: vm.strategy }),
      vm,
    ),
    status: vmiStatus(vm, domain),
  };
}

/** Where its guest is. */
function nodeOf(vm: ScenarioVm): string | undefined {
  return isWaiting(vm) ? undefined : vm.node;
}

function vmiStatus(vm: ScenarioVm, domain: RawObject): RawObject {
  const node = nodeOf(vm);
  const phase = vm.phase ?? 'Running';
  const memory = vm.memory ?? '1Gi';
  return {
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
    memory: { guestAtBoot: memory, guestCurrent: memory, guestRequested: memory },
    volumeStatus: volumeStatus(vm),
    migratedVolumes: vm.migratedVolumes?.map((volumeName) => ({ volumeName })),
  };
}

/** Those that its guest has: the first one of the pod network. */
function interfacesIn(domain: RawObject): RawObject[] {
  const interfaces = objectsAt(objectAt(domain as JsonObject, 'devices'), 'interfaces');
  return interfaces.map(({ name }, index) => (index === 0 ? { name, ipAddress: '10.244.0.9' } : { name }));
}

/** A migration is required for a network that its guest has not yet: the VMI's spec has it, its status has not. */
function withPluggedNetwork(spec: RawObject, { conditions: told }: ScenarioVm): RawObject {
  if (told?.[CONDITION.migrationRequired] !== 'True') return spec;
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
      ? [{ type: CONDITION.liveMigratable, status: 'True' }]
      : vm.migratable === undefined
        ? []
        : [{ type: CONDITION.liveMigratable, status: 'False', reason: vm.migratable, message: vm.message }];
  const isUp = vm.node !== undefined && (vm.phase ?? 'Running') === 'Running';
  const others = Object.entries({ ...(isUp && { [CONDITION.ready]: 'True' }), ...vm.conditions }).map(
    ([type, status]) => ({ type, status }),
  );
  return [...liveMigratable, ...others];
}
