import type { Chance } from './random.ts';
import { FLEET_NOW, isPlaced, secondsAfter, type Traits } from './traits.ts';
import type { GeneratedVmiSpec } from './vmi.ts';

/** The status of a VMI as virt-controller and virt-handler keep it. */
export function vmiStatusOf(traits: Traits, spec: GeneratedVmiSpec, chance: Chance) {
  const { cores, sockets, threads } = spec.domain.cpu;
  const { memory } = traits;
  return {
    ...(traits.phase ? { phase: traits.phase } : {}),
    conditions: conditionsOf(traits),
    volumeStatus: volumeStatusOf(traits),
    ...(isPlaced(traits) ? { nodeName: traits.nodeName } : {}),
    ...(traits.image ? { launcherContainerImageVersion: traits.image } : {}),
    activePods: { [traits.podUid]: isPlaced(traits) ? traits.nodeName : '' },
    currentCPUTopology: { cores, sockets, threads },
    guestOSInfo: GUEST,
    interfaces: interfacesOf(traits, chance),
    machine: spec.domain.machine,
    memory: { guestAtBoot: memory, guestCurrent: memory, guestRequested: memory },
    migrationMethod: 'BlockMigration',
    migrationTransport: 'Unix',
    ...(traits.change === 'VolumesChange' ? { migratedVolumes: [{ volumeName: 'rootdisk' }] } : {}),
    ...(traits.migration ? { migrationState: migrationStateOf(traits, chance) } : {}),
    phaseTransitionTimestamps: ['Pending', 'Scheduling', 'Scheduled', 'Running'].map((phase, i) => ({
      phase,
      phaseTransitionTimestamp: secondsAfter(traits.createdAt, 5 + i * 5),
    })),
    qosClass: 'Burstable',
    runtimeUser: 107,
    selinuxContext: `system_u:object_r:container_file_t:s0:c${chance.int(512)},c${512 + chance.int(512)}`,
    virtualMachineRevisionName: `revision-start-vm-${traits.vmUid}-${traits.generation}`,
  };
}

function conditionsOf(traits: Traits) {
  const conditions: object[] = [conditionOf('Ready', traits.phase === 'Running' ? 'True' : 'False')];
  if (traits.migratable === 'True') conditions.push(conditionOf('LiveMigratable', 'True'));
  if (traits.migratable === 'False') {
    const { reason, message } = traits.obstacle;
    const told = { reason, message: message.replace('%', `dv-${traits.name}`) };
    conditions.push(conditionOf('LiveMigratable', 'False', told));
  }
  conditions.push(conditionOf('StorageLiveMigratable', 'True'));
  const message = "All of the VMI's DVs are bound and ready";
  conditions.push(conditionOf('DataVolumesReady', 'True', { reason: 'AllDVsReady', message }));
  if (traits.guestAgent) conditions.push(AGENT_CONNECTED);
  if (traits.change) conditions.push(conditionOf(traits.change, 'True'));
  return conditions;
}

const HOUR_AGO = secondsAfter(FLEET_NOW, -3600);
const AGENT_CONNECTED = {
  type: 'AgentConnected',
  status: 'True',
  lastProbeTime: HOUR_AGO,
  lastTransitionTime: null,
};

function conditionOf(type: string, status: string, told: object = {}): object {
  return { type, status, ...told, lastProbeTime: null, lastTransitionTime: HOUR_AGO };
}

function volumeStatusOf(traits: Traits) {
  const shared = traits.obstacle.reason !== 'DisksNotLiveMigratable' || traits.migratable !== 'False';
  const claim = (claimName: string, storage: string) => ({
    claimName,
    accessModes: [shared ? 'ReadWriteMany' : 'ReadWriteOnce'],
    volumeMode: 'Block',
    capacity: { storage },
    requests: { storage },
    filesystemOverhead: '0.06',
  });
  const root = claim(`dv-${traits.name}`, '30Gi');
  return [
    { name: 'rootdisk', target: 'vda', persistentVolumeClaimInfo: root },
    { name: 'cloudinitdisk', size: 1_048_576, target: 'vdb' },
    ...(traits.dataDisk
      ? [
          {
            name: 'datadisk',
            target: 'vdc',
            persistentVolumeClaimInfo: claim(`data-${traits.name}`, '100Gi'),
          },
        ]
      : []),
  ];
}

const GUEST = {
  id: 'rhel',
  kernelRelease: '5.14.0-503.el9.x86_64',
  kernelVersion: '#1 SMP PREEMPT_DYNAMIC Thu Aug 8 12:00:00 UTC 2024',
  machine: 'x86_64',
  name: 'Red Hat Enterprise Linux',
  prettyName: 'Red Hat Enterprise Linux 9.5 (Plow)',
  version: '9.5 (Plow)',
  versionId: '9.5',
};

function interfacesOf(traits: Traits, chance: Chance) {
  const ipAddress = `10.${chance.int(256)}.${chance.int(256)}.${chance.int(256)}`;
  const face = (name: string, interfaceName: string) => ({
    infoSource: 'domain, guest-agent',
    interfaceName,
    ipAddress,
    ipAddresses: [ipAddress, `fe80::${chance.hex(4)}:${chance.hex(4)}`],
    linkState: 'up',
    mac: `02:00:00:${chance.hex(2)}:${chance.hex(2)}:${chance.hex(2)}`,
    name,
    podInterfaceName: interfaceName,
    queueCount: 1,
  });
  const faces = [face('default', 'eth0')];
  return traits.interfaces === 2 ? [...faces, face('storage', 'eth1')] : faces;
}

/** What a migration leaves in the status; one under way has no end yet. */
function migrationStateOf(traits: Traits, chance: Chance) {
  const finished = traits.migration === 'finished';
  const startTimestamp = secondsAfter(FLEET_NOW, finished ? -90_000 : -30);
  return {
    startTimestamp,
    ...(finished ? { endTimestamp: secondsAfter(startTimestamp, 40), completed: true } : {}),
    sourceNode: finished ? traits.sourceNode : traits.nodeName,
    targetNode: finished ? traits.nodeName : traits.sourceNode,
    sourcePod: `virt-launcher-${traits.name}-${chance.hex(5)}`,
    targetPod: finished ? traits.podName : `virt-launcher-${traits.name}-${chance.hex(5)}`,
    migrationUid: migrationUidOf(traits),
    mode: 'PreCopy',
    targetNodeDomainDetected: finished,
    ...(finished ? { targetNodeDomainReadyTimestamp: secondsAfter(startTimestamp, 39) } : {}),
    targetNodeAddress: '10.138.161.133',
    targetDirectMigrationNodePorts: { '35271': 49152, '43301': 0 },
    migrationConfiguration: MIGRATION_CONFIGURATION,
  };
}

/** The UID of the migration object that belongs to the state in the VMI. */
export function migrationUidOf(traits: Traits): string {
  return `${traits.vmiUid.slice(0, 24)}00000000${traits.vmiUid.slice(32)}`;
}

const MIGRATION_CONFIGURATION = {
  allowAutoConverge: false,
  allowPostCopy: false,
  bandwidthPerMigration: '0',
  completionTimeoutPerGiB: 150,
  nodeDrainTaintKey: 'kubevirt.io/drain',
  parallelMigrationsPerCluster: 5,
  parallelOutboundMigrationsPerNode: 2,
  progressTimeout: 150,
  unsafeMigrationOverride: false,
};
