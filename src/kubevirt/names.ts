/**
 * Every label, annotation, condition, reason and taint string that Drover reads or writes, once.
 * kubevirt v1.9.0 staging/src/kubevirt.io/api/core/v1/types.go unless a line says otherwise.
 */

export const LABEL = {
  /** `virt-launcher` or `hotplug-disk` on pods. */
  app: 'kubevirt.io',
  createdBy: 'kubevirt.io/created-by',
  nodeName: 'kubevirt.io/nodeName',
  migrationTargetNodeName: 'kubevirt.io/migrationTargetNodeName',
  outdatedLauncherImage: 'kubevirt.io/outdatedLauncherImage',
  migrationJobUid: 'kubevirt.io/migrationJobUID',
  vmiName: 'kubevirt.io/vmi-name',
  /** On launchers: the VMI's host name, and its name cut to the length of a label. */
  vmName: 'vm.kubevirt.io/name',
  vmiId: 'vmi.kubevirt.io/id',
  volumeUpdateMigration: 'kubevirt.io/volume-update-migration',
  schedulable: 'kubevirt.io/schedulable',
  installStrategy: 'kubevirt.io/install-strategy',
  hostname: 'kubernetes.io/hostname',
  arch: 'kubernetes.io/arch',
  cpuManager: 'cpumanager',
  /** Cluster API: `skip` or `wait-completed` on a pod. */
  capiDrain: 'cluster.x-k8s.io/drain',
  memoryOverheadRatio: 'kubevirt.io/memory-hotplug-overhead-ratio',
  /** CAPK v0.1.10. */
  vmIsTerminal: 'capk.cluster.x-k8s.io/vm-is-terminal',
} as const;

/** The container of a launcher pod that runs the guest; its image is the launcher's. */
export const COMPUTE_CONTAINER = 'compute';

/** Prefixes of node labels that virt-handler writes and launcher pods select on. */
export const NODE_LABEL_PREFIX = {
  hostModelCpu: 'host-model-cpu.node.kubevirt.io/',
  cpuModelMigration: 'cpu-model-migration.node.kubevirt.io/',
  cpuModel: 'cpu-model.node.kubevirt.io/',
  cpuFeature: 'cpu-feature.node.kubevirt.io/',
  cpuVendor: 'cpu-vendor.node.kubevirt.io/',
  hostModelRequiredFeature: 'host-model-required-features.node.kubevirt.io/',
  machineType: 'machine-type.node.kubevirt.io/',
} as const;

/** Devices of a node's kernel that launchers ask for. kubevirt v1.9.0 pkg/virt-controller/services/template.go */
export const DEVICE = {
  kvm: 'devices.kubevirt.io/kvm',
  tun: 'devices.kubevirt.io/tun',
  vhostNet: 'devices.kubevirt.io/vhost-net',
} as const;

export const APP = { launcher: 'virt-launcher', hotplugDisk: 'hotplug-disk' } as const;

export const ANNOTATION = {
  /** On launcher pods: the name of the VMI. */
  domain: 'kubevirt.io/domain',
  workloadUpdateMigration: 'kubevirt.io/workloadUpdateMigration',
  evacuationMigration: 'kubevirt.io/evacuationMigration',
  abortWorkloadUpdate: 'kubevirt.io/testWorkloadUpdateMigrationAbortion',
  evictionSource: 'kubevirt.io/eviction-source',
  allowBridgeMigration: 'kubevirt.io/allow-pod-bridge-network-live-migration',
  ignoreMigrationBackoff: 'kubevirt.io/func-test-ignore-migration-backoff',
  unschedulableTimeout: 'kubevirt.io/migrationUnschedulablePodTimeoutSeconds',
  pendingTimeout: 'kubevirt.io/migrationPendingPodTimeoutSeconds',
  migrationJobName: 'kubevirt.io/migrationJobName',
  /** On launcher pods: migrations go over a Unix socket. */
  migrationTransportUnix: 'kubevirt.io/migrationTransportUnix',
  defaultContainer: 'kubectl.kubernetes.io/default-container',
  migrationTargetReady: 'kubevirt.io/migration-target-ready-timestamp',
  /** On nodes: when virt-handler was last heard of. */
  heartbeat: 'kubevirt.io/heartbeat',
  /** On VMIs and their launchers: the guest does not run as root. */
  nonRoot: 'kubevirt.io/nonroot',
  /** On every object that KubeVirt has seen; it is not handed on to pods. */
  latestApiVersion: 'kubevirt.io/latest-observed-api-version',
  storageApiVersion: 'kubevirt.io/storage-observed-api-version',
  /** On launcher pods: what the pod needs besides the guest's memory, in bytes. */
  memoryOverheadBytes: 'kubevirt.io/memory-overhead-bytes',
  requestedBy: 'requested-by',
  deschedulerEvict: 'descheduler.alpha.kubernetes.io/evict',
  deschedulerPreferNoEviction: 'descheduler.alpha.kubernetes.io/prefer-no-eviction',
  requestEvictOnly: 'descheduler.alpha.kubernetes.io/request-evict-only',
  evictionInProgress: 'descheduler.alpha.kubernetes.io/eviction-in-progress',
  safeToEvict: 'cluster-autoscaler.kubernetes.io/safe-to-evict',
  safeToEvictLocalVolumes: 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes',
  mirror: 'kubernetes.io/config.mirror',
  configSource: 'kubernetes.io/config.source',
  vmGeneration: 'kubevirt.io/vm-generation',
  /** On VMIs and the templates of VMs: how guests number their devices. */
  pciTopologyVersion: 'kubevirt.io/pci-topology-version',
  createMigrationTarget: 'kubevirt.io/create-migration-target',
  restoreRunStrategy: 'kubevirt.io/restore-run-strategy',
  /** CAPI: a Machine that health checks leave alone. */
  skipRemediation: 'cluster.x-k8s.io/skip-remediation',
  capiPaused: 'cluster.x-k8s.io/paused',
  remediateMachine: 'cluster.x-k8s.io/remediate-machine',
  /** CAPK v0.1.10 and the backport: bookkeeping on a KubevirtMachine. */
  capkDeletionGraceTime: 'capk.cluster.x-k8s.io/vmi-deletion-grace-time',
  capkNodeCordoned: 'capk.cluster.x-k8s.io/node-cordoned',
  capkMigrationSubmitted: 'capk.cluster.x-k8s.io/migration-submitted',
} as const;

/** Drover's own, on VMs, VMIs, namespaces and nodes. */
export const DROVER_ANNOTATION = {
  /** On a VM, a VMI or a namespace: whether evictions are let through by the guard. */
  eviction: 'drover.dev/eviction',
  /** There too: that evictions are approved, for good or until a time. */
  evictionApproved: 'drover.dev/eviction-approved',
  /** There too: when evictions are let through. */
  evictionWindow: 'drover.dev/eviction-window',
  /** On a namespace: the strategy that its new VMIs get. */
  defaultEvictionStrategy: 'drover.dev/default-eviction-strategy',
  /** On a node: the guard lets everything go. */
  breakGlass: 'drover.dev/break-glass',
} as const;

export const CONDITION = {
  ready: 'Ready',
  liveMigratable: 'LiveMigratable',
  storageLiveMigratable: 'StorageLiveMigratable',
  evictionRequested: 'EvictionRequested',
  hotVcpuChange: 'HotVCPUChange',
  hotMemoryChange: 'HotMemoryChange',
  migrationRequired: 'MigrationRequired',
  volumesChange: 'VolumesChange',
  paused: 'Paused',
  synchronized: 'Synchronized',
  podScheduled: 'PodScheduled',
  restartRequired: 'RestartRequired',
  /** On VMs: what went wrong in the last pass. */
  failure: 'Failure',
  manualRecoveryRequired: 'ManualRecoveryRequired',
  agentConnected: 'AgentConnected',
  /** Of Machines and health checks of Cluster API. */
  infrastructureReady: 'InfrastructureReady',
  healthCheckSucceeded: 'HealthCheckSucceeded',
  ownerRemediated: 'OwnerRemediated',
  remediationAllowed: 'RemediationAllowed',
} as const;

/** Reasons of virt-handler's events on a VMI, and who they come from. */
export const HANDLER_EVENT = {
  component: 'virt-handler',
  started: 'Started',
  shuttingDown: 'ShuttingDown',
  deleted: 'Deleted',
  stopped: 'Stopped',
  preparingTarget: 'PreparingTarget',
  migrating: 'Migrating',
  migrated: 'Migrated',
} as const;

export const STRATEGY = {
  none: 'None',
  liveMigrate: 'LiveMigrate',
  liveMigrateIfPossible: 'LiveMigrateIfPossible',
  external: 'External',
} as const;

export const METHOD = { liveMigrate: 'LiveMigrate', evict: 'Evict' } as const;

export const RUN_STRATEGY = {
  always: 'Always',
  halted: 'Halted',
  manual: 'Manual',
  rerunOnFailure: 'RerunOnFailure',
  once: 'Once',
  waitAsReceiver: 'WaitAsReceiver',
} as const;

export const ROLLOUT_STRATEGY = { liveUpdate: 'LiveUpdate', stage: 'Stage' } as const;

/** `spec.priority` of a migration, from KubeVirt 1.7 on. */
export const PRIORITY = {
  systemCritical: 'system-critical',
  userTriggered: 'user-triggered',
  systemMaintenance: 'system-maintenance',
} as const;

export const MIGRATION_NAME_PREFIX = {
  workloadUpdate: 'kubevirt-workload-update-',
  evacuation: 'kubevirt-evacuation-',
} as const;

/** Phases of a migration; a new one has none, written `''`. */
export const MIGRATION_PHASE = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  preparingTarget: 'PreparingTarget',
  targetReady: 'TargetReady',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  synchronizing: 'Synchronizing',
} as const;

export const MIGRATION_CONDITION = {
  abortRequested: 'migrationAbortRequested',
  rejectedByResourceQuota: 'migrationRejectedByResourceQuota',
  blockedByBackup: 'migrationBlockedByBackup',
  blockedByUtilityVolumes: 'migrationBlockedByUtilityVolumes',
} as const;

export const MIGRATION_FINALIZER = 'kubevirt.io/migrationJobFinalize';

/** Reasons of the events that migrations leave, on the migration or on its VMI. */
export const MIGRATION_EVENT = {
  successfulCreate: 'SuccessfulCreate',
  failedCreate: 'FailedCreate',
  successfulDelete: 'SuccessfulDelete',
  failedDelete: 'FailedDelete',
  failedMigration: 'FailedMigration',
  successfulMigration: 'SuccessfulMigration',
  successfulHandOver: 'SuccessfulHandOver',
  successfulAbort: 'SuccessfulAbortMigration',
  failedAbort: 'FailedAbortMigration',
  backoff: 'MigrationBackoff',
  targetUnschedulable: 'migrationTargetPodUnschedulable',
  noNodeForHostModel: 'NoSuitableNodesForHostModelMigration',
} as const;

/** Access modes of a PVC; what lacks both `...Many` modes can be used on one node only. */
export const ACCESS_MODE = { readOnlyMany: 'ReadOnlyMany', readWriteMany: 'ReadWriteMany' } as const;

/** The volume that keeps TPM and EFI state has a name of its own, or (before 1.8) this with the VM's name behind. */
export const PERSISTENT_STATE_VOLUME_PREFIX = 'persistent-state-for';

/** `status.phase` of a KubeVirt CR that stands; it keeps this value during an update. */
export const KUBEVIRT_DEPLOYED = 'Deployed';

/** Reasons of the workload updater's events, and who they come from. */
export const WORKLOAD_UPDATE_EVENT = {
  component: 'workload-update-controller',
  successfulCreate: 'SuccessfulCreate',
  failedCreate: 'FailedCreate',
  successfulEvict: 'SuccessfulEvict',
  failedEvict: 'FailedEvict',
  successfulAbort: 'SuccessfulChangeAbortion',
  failedAbort: 'FailedChangeAbortion',
} as const;

/** Who the evacuation controller's events come from; their reasons are those of migrations. */
export const EVACUATION_COMPONENT = 'evacuation-controller';

export const TAINT = {
  drain: 'kubevirt.io/drain',
  unschedulable: 'node.kubernetes.io/unschedulable',
  unreachable: 'node.kubernetes.io/unreachable',
  /** Somebody vouches that the machine is off, so that its pods are taken away at once. */
  outOfService: 'node.kubernetes.io/out-of-service',
  /** The cluster-autoscaler is removing the node. */
  autoscalerDeletion: 'ToBeDeletedByClusterAutoscaler',
} as const;

export const DESCHEDULER = { requestedBy: 'sigs.k8s.io/descheduler', source: 'descheduler' } as const;

export const FINALIZER = {
  vmController: 'kubevirt.io/virtualMachineControllerFinalize',
  foregroundDelete: 'kubevirt.io/foregroundDeleteVirtualMachine',
  /** The same on VMIs of older releases. */
  formerForegroundDelete: 'foregroundDeleteVirtualMachine',
  /** Cluster API and CAPK. */
  machine: 'machine.cluster.x-k8s.io',
  kubevirtMachine: 'kubevirtmachine.infrastructure.cluster.x-k8s.io',
} as const;

/** What new VMs and VMIs carry under `kubevirt.io/pci-topology-version`. */
export const PCI_TOPOLOGY_VERSION = 'v3';

/** Actions of `status.stateChangeRequests` of a VM. */
export const STATE_CHANGE = { start: 'Start', stop: 'Stop' } as const;

export const FEATURE_GATE = {
  vgpuLiveMigration: 'VGPULiveMigration',
  root: 'Root',
  decentralizedLiveMigration: 'DecentralizedLiveMigration',
  nodeRestriction: 'NodeRestriction',
} as const;
