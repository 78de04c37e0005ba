/** What a VM of a scenario says of its guest. */
import { mergePatched } from '../kubevirt/merge-patch.ts';
import type { RawObject } from './cluster.ts';
import type { ScenarioVm } from './schema.ts';

/** What the template of a VM and its VMI say of the guest alike. */
export function guestSpec(vm: ScenarioVm): RawObject {
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
export function placementOf({ affinity, tolerations, topologySpreadConstraints }: ScenarioVm): RawObject {
  return { affinity, tolerations, topologySpreadConstraints };
}

/** The volume that an attachment pod brings, and the network that a migration brings. */
export const PLUGGED = 'plugged';

/** Those that are not plugged in. */
export function mountedVolumes(vm: ScenarioVm): RawObject[] {
  return Object.keys(vm.claims ?? {}).map((name) => ({ name, persistentVolumeClaim: claimOf(vm, name) }));
}

export function claimOf(vm: ScenarioVm, volume: string): RawObject {
  return { claimName: `${vm.name}-${volume}` };
}
