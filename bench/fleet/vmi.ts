import { managedFields } from './managed-fields.ts';
import type { Chance } from './random.ts';
import { FLEET_NOW, isPlaced, OUTDATED_IMAGE, secondsAfter, type Traits } from './traits.ts';
import { vmiStatusOf } from './vmi-status.ts';

/** A VirtualMachineInstance of 6 to 10 KiB of JSON, as an API server gives it. */
export function vmiOf(traits: Traits, spec: GeneratedVmiSpec, chance: Chance): object {
  const apiVersion = 'kubevirt.io/v1';
  const kind = 'VirtualMachineInstance';
  const metadata = metadataOf(traits, chance);
  const status = vmiStatusOf(traits, spec, chance);
  const managers = [
    managedFields('virt-controller', traits.createdAt, apiVersion, { metadata: written(metadata), spec }),
    managedFields('virt-handler', secondsAfter(FLEET_NOW, -60), apiVersion, { status }),
  ];
  return { apiVersion, kind, metadata: { ...metadata, managedFields: managers }, spec, status };
}

function written(metadata: ReturnType<typeof metadataOf>) {
  const { annotations, labels, finalizers, ownerReferences } = metadata;
  return { annotations, labels, finalizers, ownerReferences };
}

function metadataOf(traits: Traits, chance: Chance) {
  return {
    name: traits.name,
    namespace: traits.namespace,
    uid: traits.vmiUid,
    resourceVersion: String(1_000_000 + chance.int(9_000_000)),
    generation: traits.generation,
    creationTimestamp: traits.createdAt,
    ...(traits.deleting ? { deletionTimestamp: FLEET_NOW, deletionGracePeriodSeconds: 180 } : {}),
    labels: {
      ...(isPlaced(traits) ? { 'kubevirt.io/nodeName': traits.nodeName } : {}),
      ...(traits.image === OUTDATED_IMAGE ? { 'kubevirt.io/outdatedLauncherImage': '' } : {}),
      app: traits.app,
      'kubevirt.io/size': traits.size,
      'cost-center': `cc-${String(chance.int(1000)).padStart(4, '0')}`,
      'vm.kubevirt.io/name': traits.name,
    },
    annotations: {
      'kubevirt.io/latest-observed-api-version': 'v1',
      'kubevirt.io/storage-observed-api-version': 'v1',
      'kubevirt.io/vm-generation': String(1 + chance.int(3)),
      'vm.kubevirt.io/flavor': traits.size,
      'vm.kubevirt.io/os': 'rhel9',
      'vm.kubevirt.io/workload': 'server',
    },
    finalizers: ['kubevirt.io/virtualMachineControllerFinalize', 'foregroundDeleteVirtualMachine'],
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        name: traits.name,
        uid: traits.vmUid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

export type GeneratedVmiSpec = ReturnType<typeof vmiSpecOf>;

/** The spec of the VMI, and of its VM's template. */
export function vmiSpecOf(traits: Traits, chance: Chance) {
  return {
    architecture: 'amd64',
    domain: domainOf(traits, chance),
    networks: networksOf(traits),
    terminationGracePeriodSeconds: 180,
    volumes: volumesOf(traits, chance),
    ...(traits.evictionStrategy ? { evictionStrategy: traits.evictionStrategy } : {}),
    ...(traits.nodeSelector ? { nodeSelector: { 'node-role.kubernetes.io/worker': '' } } : {}),
    ...(traits.affinity ? { affinity: spreadOver(traits.app) } : {}),
    ...(traits.toleration
      ? { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'vms', effect: 'NoSchedule' }] }
      : {}),
    hostname: traits.name,
    subdomain: 'vms',
  };
}

function domainOf(traits: Traits, chance: Chance) {
  const { memory, sockets } = traits;
  const mac = `02:00:00:${chance.hex(2)}:${chance.hex(2)}:${chance.hex(2)}`;
  const disks = ['rootdisk', 'cloudinitdisk', ...(traits.dataDisk ? ['datadisk'] : [])];
  return {
    cpu: { cores: 1, sockets, threads: 1, maxSockets: sockets * 4, model: 'host-model' },
    devices: {
      autoattachPodInterface: false,
      rng: {},
      disks: disks.map((name, i) => ({ ...(i ? {} : { bootOrder: 1 }), disk: { bus: 'virtio' }, name })),
      ...(isHeldBy(traits, 'HostDevice')
        ? { hostDevices: [{ name: 'nic', deviceName: 'intel.com/qat' }] }
        : {}),
      interfaces: [
        {
          macAddress: mac,
          ...(isHeldBy(traits, 'Interface') ? { bridge: {} } : { masquerade: {} }),
          model: 'virtio',
          name: 'default',
        },
        ...(traits.interfaces === 2 ? [{ bridge: {}, model: 'virtio', name: 'storage' }] : []),
      ],
    },
    machine: { type: 'pc-q35-rhel9.6.0' },
    memory: { guest: memory, maxGuest: memory },
    resources: { requests: { memory } },
    features: { acpi: { enabled: true }, smm: { enabled: true } },
    firmware: {
      uuid: chance.uuid(),
      serial: chance.uuid(),
      bootloader: { efi: { secureBoot: false } },
    },
  };
}

function isHeldBy(traits: Traits, what: string): boolean {
  return traits.migratable === 'False' && traits.obstacle.reason.startsWith(what);
}

function networksOf(traits: Traits) {
  const pod = { name: 'default', pod: {} };
  return traits.interfaces === 2
    ? [pod, { name: 'storage', multus: { networkName: 'default/storage' } }]
    : [pod];
}

function volumesOf(traits: Traits, chance: Chance) {
  const userData = [
    '#cloud-config',
    'user: cloud-user',
    `password: ${chance.hex(12)}`,
    'chpasswd: { expire: False }',
    'ssh_pwauth: True',
    'runcmd:',
    '  - [ systemctl, enable, --now, qemu-guest-agent ]',
    '',
  ].join('\n');
  return [
    { dataVolume: { name: `dv-${traits.name}` }, name: 'rootdisk' },
    { name: 'cloudinitdisk', cloudInitNoCloud: { userData } },
    ...(traits.dataDisk
      ? [{ persistentVolumeClaim: { claimName: `data-${traits.name}` }, name: 'datadisk' }]
      : []),
  ];
}

function spreadOver(app: string) {
  const podAffinityTerm = {
    labelSelector: { matchLabels: { app } },
    topologyKey: 'topology.kubernetes.io/zone',
  };
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }],
    },
  };
}
