/**
 * The narrow shapes of the objects that Drover reads, with the raw JSON names. Each schema is the type, the check of
 * distrusted input, and the projection (what is not named here is dropped) in one. `null` must be removed beforehand:
 * Kubernetes writes it where Go has a zero value, so absent and null mean the same.
 * kubevirt v1.9.0 staging/src/kubevirt.io/api/core/v1/types.go; api-objects of the spec.
 */
import { z } from 'zod';

const text = z.string().optional();
const int = z.number().optional();
const flag = z.boolean().optional();
const textMap = z.record(z.string(), z.string()).optional();
const textList = z.array(z.string()).optional();
const quantity = z.union([z.string(), z.number()]).optional();
const intOrPercent = z.union([z.string(), z.number()]).optional();
/** An object of which only the presence matters. */
const presence = z.object({}).optional();

const typeMeta = { apiVersion: text, kind: text };

const ownerReferenceSchema = z.object({
  apiVersion: text,
  kind: text,
  name: z.string(),
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
});

const objectMetaSchema = z.object({
  name: z.string(),
  namespace: text,
  generateName: text,
  uid: text,
  resourceVersion: text,
  generation: int,
  labels: textMap,
  annotations: textMap,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: int,
  finalizers: textList,
  ownerReferences: z.array(ownerReferenceSchema).optional(),
});

export const conditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: text,
  message: text,
  lastTransitionTime: text,
});

const labelSelectorSchema = z.object({
  matchLabels: textMap,
  matchExpressions: z.array(z.object({ key: z.string(), operator: z.string(), values: textList })).optional(),
});

const nodeSelectorTermSchema = z.object({
  matchExpressions: z.array(z.object({ key: z.string(), operator: z.string(), values: textList })).optional(),
  matchFields: z.array(z.object({ key: z.string(), operator: z.string(), values: textList })).optional(),
});

const podAffinityTermSchema = z.object({
  labelSelector: labelSelectorSchema.optional(),
  namespaces: textList,
  namespaceSelector: labelSelectorSchema.optional(),
  topologyKey: z.string(),
});

const podAffinitySchema = z
  .object({ requiredDuringSchedulingIgnoredDuringExecution: z.array(podAffinityTermSchema).optional() })
  .optional();

const affinitySchema = z.object({
  nodeAffinity: z
    .object({
      requiredDuringSchedulingIgnoredDuringExecution: z
        .object({ nodeSelectorTerms: z.array(nodeSelectorTermSchema).optional() })
        .optional(),
      preferredDuringSchedulingIgnoredDuringExecution: z
        .array(z.object({ weight: int, preference: nodeSelectorTermSchema }))
        .optional(),
    })
    .optional(),
  podAffinity: podAffinitySchema,
  podAntiAffinity: podAffinitySchema,
});

const tolerationSchema = z.object({
  key: text,
  operator: text,
  value: text,
  effect: text,
  tolerationSeconds: int,
});

const migrationConfigurationSchema = z.object({
  parallelMigrationsPerCluster: int,
  parallelOutboundMigrationsPerNode: int,
  bandwidthPerMigration: quantity,
  completionTimeoutPerGiB: int,
  progressTimeout: int,
  maxDowntimeMs: int,
  utilityVolumesTimeout: int,
  allowAutoConverge: flag,
  allowPostCopy: flag,
  allowWorkloadDisruption: flag,
  unsafeMigrationOverride: flag,
  nodeDrainTaintKey: text,
  matchSELinuxLevelOnMigration: flag,
  disableTLS: flag,
  network: text,
  experimental: z.record(z.string(), z.unknown()).optional(),
});

export const clusterConfigurationSchema = z.object({
  evictionStrategy: text,
  vmRolloutStrategy: text,
  /** Experimental settings come with migration policies only. */
  migrations: migrationConfigurationSchema.omit({ experimental: true }).optional(),
  developerConfiguration: z
    .object({
      featureGates: textList,
      disabledFeatureGates: textList,
      cpuAllocationRatio: int,
      /** Put on every launcher pod, under the VMI's own selector. */
      nodeSelectors: textMap,
    })
    .optional(),
  permittedHostDevices: z
    .object({ mediatedDevices: z.array(z.object({ resourceName: text })).optional() })
    .optional(),
  network: z
    .object({ binding: z.record(z.string(), z.object({ migration: presence })).optional() })
    .optional(),
  liveUpdateConfiguration: z
    .object({ maxHotplugRatio: int, maxCpuSockets: int, maxGuest: quantity })
    .optional(),
});

export const kubeVirtSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      workloadUpdateStrategy: z
        .object({ workloadUpdateMethods: textList, batchEvictionSize: int, batchEvictionInterval: text })
        .optional(),
      configuration: clusterConfigurationSchema.optional(),
      monitorNamespace: text,
      monitorAccount: text,
      imageTag: text,
      imageRegistry: text,
    })
    .optional(),
  status: z
    .object({
      phase: text,
      targetDeploymentID: text,
      observedDeploymentID: text,
      targetKubeVirtVersion: text,
      observedKubeVirtVersion: text,
      outdatedVirtualMachineInstanceWorkloads: int,
      conditions: z.array(conditionSchema).optional(),
      defaultArchitecture: text,
    })
    .optional(),
});

const cpuSchema = z.object({
  sockets: int,
  cores: int,
  threads: int,
  maxSockets: int,
  model: text,
  dedicatedCpuPlacement: flag,
  realtime: presence,
  numa: z.object({ guestMappingPassthrough: presence }).optional(),
  features: z.array(z.object({ name: z.string(), policy: text })).optional(),
});

const enabledSchema = z.object({ enabled: flag }).optional();

const domainSchema = z.object({
  cpu: cpuSchema.optional(),
  memory: z
    .object({ guest: quantity, maxGuest: quantity, hugepages: z.object({ pageSize: text }).optional() })
    .optional(),
  resources: z
    .object({
      requests: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      limits: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .optional(),
  machine: z.object({ type: text }).optional(),
  features: z
    .object({
      acpi: enabledSchema,
      hyperv: z.object({ reenlightenment: enabledSchema }).optional(),
      hypervPassthrough: enabledSchema,
    })
    .optional(),
  launchSecurity: z.object({ sev: presence, snp: presence, tdx: presence }).optional(),
  devices: z
    .object({
      autoattachGraphicsDevice: flag,
      gpus: z.array(z.object({ name: text, deviceName: text })).optional(),
      hostDevices: z.array(z.object({ name: text, deviceName: text })).optional(),
      disks: z
        .array(
          z.object({
            name: z.string(),
            cdrom: z.object({ readonly: flag }).optional(),
            lun: z.object({ reservation: flag }).optional(),
          }),
        )
        .optional(),
      filesystems: z.array(z.object({ name: z.string(), virtiofs: presence })).optional(),
      interfaces: z
        .array(
          z.object({
            name: z.string(),
            masquerade: presence,
            bridge: presence,
            passt: presence,
            passtBinding: presence,
            sriov: presence,
            binding: z.object({ name: text }).optional(),
            state: text,
          }),
        )
        .optional(),
    })
    .optional(),
});

const claimSchema = z.object({ claimName: z.string(), hotpluggable: flag }).optional();

export const vmiSpecSchema = z.object({
  evictionStrategy: text,
  terminationGracePeriodSeconds: int,
  architecture: text,
  domain: domainSchema.optional(),
  networks: z
    .array(z.object({ name: z.string(), pod: presence, multus: z.object({ networkName: text }).optional() }))
    .optional(),
  volumes: z
    .array(
      z.object({
        name: z.string(),
        persistentVolumeClaim: claimSchema,
        dataVolume: z.object({ name: z.string(), hotpluggable: flag }).optional(),
        hostDisk: z.object({ path: text, shared: flag }).optional(),
        containerDisk: presence,
        ephemeral: presence,
      }),
    )
    .optional(),
  nodeSelector: textMap,
  affinity: affinitySchema.optional(),
  tolerations: z.array(tolerationSchema).optional(),
  /** Volumes attached for another purpose (a backup), which must go before a migration. */
  utilityVolumes: z.array(z.object({ name: z.string() })).optional(),
});

const pvcInfoSchema = z.object({
  claimName: text,
  accessModes: textList,
  volumeMode: text,
  capacity: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

/** One side of a migration between clusters or namespaces. */
const migrationSideSchema = z.object({ migrationUID: text, syncAddress: text }).optional();

const migrationStateSchema = z.object({
  startTimestamp: text,
  endTimestamp: text,
  targetNodeDomainReadyTimestamp: text,
  targetNodeDomainDetected: flag,
  completed: flag,
  failed: flag,
  abortRequested: flag,
  abortStatus: text,
  targetNodeAddress: text,
  targetNode: text,
  targetPod: text,
  sourceNode: text,
  sourcePod: text,
  failureReason: text,
  migrationUid: text,
  mode: text,
  migrationPolicyName: text,
  migrationConfiguration: migrationConfigurationSchema.optional(),
  targetDirectMigrationNodePorts: z.record(z.string(), z.number()).optional(),
  targetAttachmentPodUID: text,
  targetMemoryOverhead: quantity,
  sourcePersistentStatePVCName: text,
  targetPersistentStatePVCName: text,
  sourceState: migrationSideSchema,
  targetState: migrationSideSchema,
});

export const vmiSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: vmiSpecSchema.optional(),
  status: z
    .object({
      phase: text,
      reason: text,
      nodeName: text,
      launcherContainerImageVersion: text,
      evacuationNodeName: text,
      activePods: textMap,
      conditions: z.array(conditionSchema).optional(),
      migrationState: migrationStateSchema.optional(),
      migrationMethod: text,
      interfaces: z.array(z.object({ name: text, ipAddress: text })).optional(),
      migratedVolumes: z
        .array(
          z.object({
            volumeName: text,
            sourcePVCInfo: pvcInfoSchema.optional(),
            destinationPVCInfo: pvcInfoSchema.optional(),
          }),
        )
        .optional(),
      volumeStatus: z
        .array(
          z.object({
            name: z.string(),
            phase: text,
            persistentVolumeClaimInfo: pvcInfoSchema.optional(),
            hotplugVolume: z.object({ attachPodName: text, attachPodUID: text }).optional(),
          }),
        )
        .optional(),
      currentCPUTopology: z.object({ sockets: int, cores: int, threads: int }).optional(),
      memory: z
        .object({
          guestAtBoot: quantity,
          guestCurrent: quantity,
          guestRequested: quantity,
          memoryOverhead: quantity,
        })
        .optional(),
      topologyHints: z.object({ tscFrequency: int }).optional(),
      selinuxContext: text,
      runtimeUser: int,
      phaseTransitionTimestamps: z
        .array(z.object({ phase: text, phaseTransitionTimestamp: text }))
        .optional(),
      changedBlockTracking: z
        .object({ backupStatus: z.object({ backupName: text, completed: flag, failed: flag }).optional() })
        .optional(),
    })
    .optional(),
});

export const virtualMachineSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      runStrategy: text,
      running: flag,
      template: z
        .object({
          metadata: z.object({ labels: textMap, annotations: textMap }).optional(),
          spec: vmiSpecSchema.optional(),
        })
        .optional(),
      instancetype: z.object({ name: text, kind: text }).optional(),
      updateVolumesStrategy: text,
    })
    .optional(),
  status: z
    .object({
      printableStatus: text,
      created: flag,
      ready: flag,
      runStrategy: text,
      stateChangeRequests: z.array(z.object({ action: text, uid: text, data: textMap })).optional(),
      startFailure: z
        .object({ consecutiveFailCount: int, lastFailedVMIUID: text, retryAfterTimestamp: text })
        .optional(),
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});

export const migrationSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      vmiName: text,
      priority: text,
      addedNodeSelector: textMap,
      sendTo: z.object({ migrationID: text, connectURL: text }).optional(),
      receive: z.object({ migrationID: text }).optional(),
    })
    .optional(),
  status: z
    .object({
      phase: text,
      conditions: z.array(conditionSchema).optional(),
      phaseTransitionTimestamps: z
        .array(z.object({ phase: text, phaseTransitionTimestamp: text }))
        .optional(),
      migrationState: migrationStateSchema.optional(),
    })
    .optional(),
});

export const migrationPolicySchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      selectors: z.object({ namespaceSelector: textMap, virtualMachineInstanceSelector: textMap }).optional(),
      allowAutoConverge: flag,
      bandwidthPerMigration: quantity,
      completionTimeoutPerGiB: int,
      maxDowntimeMs: int,
      allowPostCopy: flag,
      allowWorkloadDisruption: flag,
      experimental: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});

export const replicaSetSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      replicas: int,
      paused: flag,
      selector: labelSelectorSchema.optional(),
      template: z
        .object({
          metadata: z.object({ labels: textMap, annotations: textMap }).optional(),
          spec: vmiSpecSchema.optional(),
        })
        .optional(),
    })
    .optional(),
});

const resourcesSchema = z
  .object({
    requests: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    limits: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  })
  .optional();

const containerSchema = z.object({
  name: z.string(),
  image: text,
  args: textList,
  restartPolicy: text,
  resources: resourcesSchema,
});

export const podSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      nodeName: text,
      nodeSelector: textMap,
      affinity: affinitySchema.optional(),
      securityContext: z.object({ seLinuxOptions: z.object({ level: text }).optional() }).optional(),
      tolerations: z.array(tolerationSchema).optional(),
      terminationGracePeriodSeconds: int,
      activeDeadlineSeconds: int,
      restartPolicy: text,
      priority: int,
      priorityClassName: text,
      /** Requests and limits of the pod as a whole, which win over the sums of its containers. */
      resources: resourcesSchema,
      containers: z.array(containerSchema).optional(),
      initContainers: z.array(containerSchema).optional(),
      overhead: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      volumes: z
        .array(
          z.object({
            name: z.string(),
            emptyDir: z.object({ medium: text }).optional(),
            hostPath: presence,
            persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
          }),
        )
        .optional(),
      topologySpreadConstraints: z
        .array(
          z.object({
            maxSkew: int,
            minDomains: int,
            topologyKey: z.string(),
            whenUnsatisfiable: text,
            labelSelector: labelSelectorSchema.optional(),
            matchLabelKeys: textList,
          }),
        )
        .optional(),
    })
    .optional(),
  status: z.object({ phase: text, podIP: text, conditions: z.array(conditionSchema).optional() }).optional(),
});

export const nodeSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      unschedulable: flag,
      taints: z.array(z.object({ key: z.string(), value: text, effect: z.string() })).optional(),
    })
    .optional(),
  status: z
    .object({
      allocatable: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});

export const persistentVolumeClaimSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({ accessModes: textList, storageClassName: text, volumeName: text, volumeMode: text })
    .optional(),
  status: z.object({ phase: text }).optional(),
});

export const persistentVolumeSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      nodeAffinity: z
        .object({
          required: z.object({ nodeSelectorTerms: z.array(nodeSelectorTermSchema).optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});

export const podDisruptionBudgetSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      minAvailable: intOrPercent,
      maxUnavailable: intOrPercent,
      selector: labelSelectorSchema.optional(),
      unhealthyPodEvictionPolicy: text,
    })
    .optional(),
  status: z
    .object({
      disruptionsAllowed: int,
      currentHealthy: int,
      desiredHealthy: int,
      expectedPods: int,
      observedGeneration: int,
      /** Pods by name that an eviction has taken and that are not gone yet, with the time of the eviction. */
      disruptedPods: textMap,
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});

export const resourceQuotaSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      hard: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      scopes: textList,
      scopeSelector: z
        .object({
          matchExpressions: z
            .array(z.object({ scopeName: z.string(), operator: z.string(), values: textList }))
            .optional(),
        })
        .optional(),
    })
    .optional(),
  status: z
    .object({
      hard: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      used: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .optional(),
});

export const namespaceSchema = z.object({ ...typeMeta, metadata: objectMetaSchema });

export const daemonSetSchema = z.object({ ...typeMeta, metadata: objectMetaSchema });

/** The Deployment of virt-controller carries the launcher image among its arguments. */
export const deploymentSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      template: z
        .object({ spec: z.object({ containers: z.array(containerSchema).optional() }).optional() })
        .optional(),
    })
    .optional(),
  status: z.object({ readyReplicas: int }).optional(),
});

/** CAPK (cluster-api-provider-kubevirt) v0.1.10. */
export const kubevirtMachineSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      virtualMachineTemplate: z
        .object({
          metadata: z.object({ labels: textMap, annotations: textMap }).optional(),
          spec: virtualMachineSchema.shape.spec,
        })
        .optional(),
    })
    .optional(),
  status: z.object({ ready: flag, failureReason: text, failureMessage: text }).optional(),
});

/** Cluster API v1.10.1. */
export const machineSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      clusterName: text,
      infrastructureRef: z.object({ kind: text, name: text, namespace: text }).optional(),
      nodeDrainTimeout: text,
    })
    .optional(),
  status: z
    .object({
      phase: text,
      failureReason: text,
      failureMessage: text,
      nodeRef: z.object({ name: text }).optional(),
      conditions: z.array(conditionSchema).optional(),
    })
    .optional(),
});

export const machineSetSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z.object({ replicas: int, clusterName: text, selector: labelSelectorSchema.optional() }).optional(),
});

export const machineHealthCheckSchema = z.object({
  ...typeMeta,
  metadata: objectMetaSchema,
  spec: z
    .object({
      clusterName: text,
      selector: labelSelectorSchema.optional(),
      maxUnhealthy: intOrPercent,
      nodeStartupTimeout: text,
      unhealthyConditions: z.array(z.object({ type: text, status: text, timeout: text })).optional(),
    })
    .optional(),
  status: z
    .object({ expectedMachines: int, currentHealthy: int, conditions: z.array(conditionSchema).optional() })
    .optional(),
});

export interface OwnerReference extends z.infer<typeof ownerReferenceSchema> {}
export interface ObjectMeta extends z.infer<typeof objectMetaSchema> {}
export interface Condition extends z.infer<typeof conditionSchema> {}
export interface LabelSelector extends z.infer<typeof labelSelectorSchema> {}
export interface NodeSelectorTerm extends z.infer<typeof nodeSelectorTermSchema> {}
export interface PodAffinityTerm extends z.infer<typeof podAffinityTermSchema> {}
export interface MigrationConfiguration extends z.infer<typeof migrationConfigurationSchema> {}
export interface ClusterConfiguration extends z.infer<typeof clusterConfigurationSchema> {}
export interface KubeVirt extends z.infer<typeof kubeVirtSchema> {}
export interface VmiSpec extends z.infer<typeof vmiSpecSchema> {}
export interface MigrationState extends z.infer<typeof migrationStateSchema> {}
/** A VirtualMachineInstance. */
export interface Vmi extends z.infer<typeof vmiSchema> {}
export interface VirtualMachine extends z.infer<typeof virtualMachineSchema> {}
/** A VirtualMachineInstanceMigration. */
export interface Migration extends z.infer<typeof migrationSchema> {}
export interface MigrationPolicy extends z.infer<typeof migrationPolicySchema> {}
/** A VirtualMachineInstanceReplicaSet. */
export interface ReplicaSet extends z.infer<typeof replicaSetSchema> {}
export interface Pod extends z.infer<typeof podSchema> {}
export interface Container extends z.infer<typeof containerSchema> {}
export interface Node extends z.infer<typeof nodeSchema> {}
export interface PersistentVolumeClaim extends z.infer<typeof persistentVolumeClaimSchema> {}
export interface PersistentVolume extends z.infer<typeof persistentVolumeSchema> {}
export interface PodDisruptionBudget extends z.infer<typeof podDisruptionBudgetSchema> {}
export interface ResourceQuota extends z.infer<typeof resourceQuotaSchema> {}
export interface Namespace extends z.infer<typeof namespaceSchema> {}
export interface DaemonSet extends z.infer<typeof daemonSetSchema> {}
export interface Deployment extends z.infer<typeof deploymentSchema> {}
export interface KubevirtMachine extends z.infer<typeof kubevirtMachineSchema> {}
export interface Machine extends z.infer<typeof machineSchema> {}
export interface MachineSet extends z.infer<typeof machineSetSchema> {}
export interface MachineHealthCheck extends z.infer<typeof machineHealthCheckSchema> {}
