/** Who empties nodes, as data: drains §2-5 of the spec. */
import type { LabelSelector, Pod } from '../../kubevirt/objects.ts';

export type DrainClientName =
  | 'kubectl'
  | 'talos-node'
  | 'talosctl'
  | 'cluster-autoscaler'
  | 'descheduler'
  | 'capi'
  | 'workload-updater';

/** The flags of `kubectl drain`, in the words of its library; other clients of the library set some of them. */
export interface DrainFlags {
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  readonly force: boolean;
  /** Only pods that it matches are listed; absent: all. */
  readonly podSelector?: LabelSelector | undefined;
  /** DELETE instead of eviction: no webhook, no budget. */
  readonly disableEviction: boolean;
  /** Pods that have been terminating for longer than this are passed over; 0: none. */
  readonly skipWaitForDeleteTimeoutSeconds: number;
  readonly dryRun: 'none' | 'client' | 'server';
}

/** What kubectl does when no flag is given. A launcher pod has emptyDir volumes, so that drain fails before it evicts anything. */
export const KUBECTL_DEFAULT_FLAGS: DrainFlags = {
  ignoreDaemonSets: false,
  deleteEmptyDirData: false,
  force: false,
  disableEviction: false,
  skipWaitForDeleteTimeoutSeconds: 0,
  dryRun: 'none',
};

/** The flags that a drain of a node with VMs needs. */
export const KUBECTL_USUAL_FLAGS: DrainFlags = {
  ...KUBECTL_DEFAULT_FLAGS,
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
};

const EVERYTHING: DrainFlags = { ...KUBECTL_USUAL_FLAGS, force: true };

/** Flags of the cluster-autoscaler that decide about pods. */
export interface AutoscalerFlags {
  readonly skipNodesWithCustomControllerPods: boolean;
  readonly skipNodesWithLocalStorage: boolean;
  readonly skipNodesWithSystemPods: boolean;
}

/** Settings of the descheduler's default evictor. */
export interface EvictorSettings {
  readonly protectLocalStorage: boolean;
  readonly protectDaemonSets: boolean;
  readonly protectSystemCritical: boolean;
  readonly protectBarePods: boolean;
  readonly protectPvcs: boolean;
  readonly protectPodsWithoutBudget: boolean;
  readonly priorityThreshold?: number | undefined;
  /** Pods that prefer not to be evicted are left alone, not only taken last. */
  readonly noEvictionIsMandatory: boolean;
  readonly nodeFit: boolean;
  /** Gate EvictionsInBackground. */
  readonly evictsInBackground: boolean;
}

/** What follows for the node and the pods still on it when the time is up. */
export type AtTimeout = 'fail' | 'continue-destructively' | 'abort' | 'abandon';

export interface DrainClient {
  readonly name: DrainClientName;
  /** For people. */
  readonly title: string;
  /** Puts a cordon on the node first. */
  readonly cordons: boolean;
  /** Boots the node once that is drained. */
  readonly reboots: boolean;
  readonly flags: DrainFlags;
  readonly autoscaler: AutoscalerFlags;
  readonly evictor: EvictorSettings;
  /** `gracePeriodSeconds` of the eviction; absent: the pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
  /** The pod's own, but no more than this. */
  readonly maxGracePeriodSeconds?: number | undefined;
  /** Annotations of the Eviction. */
  readonly annotations: Readonly<Record<string, string>>;
  /** After which answers it tries again. */
  readonly retriesAfter: 'too-many-requests' | 'any-error' | 'nothing';
  /** Pause before it does; 0: none but the client's own rate limit. */
  readonly retryDelaySeconds: number;
  /** Other errors end the pod (`error`), or are only logged. */
  readonly otherErrors: 'error' | 'log';
  /** From the first eviction on the node to giving up; absent: for ever. */
  readonly timeoutSeconds?: number | undefined;
  /** How long it waits for a pod whose eviction was accepted; absent: as long as there is time at all. */
  readonly waitSeconds?: number | undefined;
  /** It waits for the grace period and this much longer, whatever its timeout. */
  readonly waitBeyondGraceSeconds?: number | undefined;
  readonly atTimeout: AtTimeout;
  /** What happens when the time is up, in a sentence. */
  readonly afterTimeout: string;
}

const AUTOSCALER_DEFAULTS: AutoscalerFlags = {
  skipNodesWithCustomControllerPods: true,
  skipNodesWithLocalStorage: true,
  skipNodesWithSystemPods: true,
};

const EVICTOR_DEFAULTS: EvictorSettings = {
  protectLocalStorage: true,
  protectDaemonSets: true,
  protectSystemCritical: true,
  protectBarePods: true,
  protectPvcs: false,
  protectPodsWithoutBudget: false,
  noEvictionIsMandatory: false,
  nodeFit: false,
  evictsInBackground: false,
};

const COMMON = {
  cordons: true,
  reboots: false,
  flags: KUBECTL_USUAL_FLAGS,
  autoscaler: AUTOSCALER_DEFAULTS,
  evictor: EVICTOR_DEFAULTS,
  annotations: {},
  otherErrors: 'error',
} as const;

export const DRAIN_CLIENTS: Readonly<Record<DrainClientName, DrainClient>> = {
  kubectl: {
    ...COMMON,
    name: 'kubectl',
    title: 'kubectl drain',
    retriesAfter: 'too-many-requests',
    retryDelaySeconds: 5,
    atTimeout: 'fail',
    afterTimeout: 'the drain fails and the node stays cordoned',
  },
  'talos-node': {
    ...COMMON,
    name: 'talos-node',
    title: 'Talos, on the node',
    reboots: true,
    gracePeriodSeconds: 60,
    retriesAfter: 'too-many-requests',
    retryDelaySeconds: 5,
    otherErrors: 'log',
    timeoutSeconds: 300,
    waitSeconds: 60,
    atTimeout: 'continue-destructively',
    afterTimeout: 'Talos goes on: it stops every pod that is left and reboots the node',
  },
  talosctl: {
    ...COMMON,
    name: 'talosctl',
    title: 'talosctl',
    reboots: true,
    flags: EVERYTHING,
    retriesAfter: 'too-many-requests',
    retryDelaySeconds: 0,
    timeoutSeconds: 300,
    atTimeout: 'abort',
    afterTimeout: 'talosctl gives up without rebooting the node, which stays cordoned',
  },
  'cluster-autoscaler': {
    ...COMMON,
    name: 'cluster-autoscaler',
    title: 'cluster-autoscaler',
    flags: EVERYTHING,
    maxGracePeriodSeconds: 600,
    retriesAfter: 'any-error',
    retryDelaySeconds: 10,
    timeoutSeconds: 120,
    waitBeyondGraceSeconds: 30,
    atTimeout: 'abandon',
    afterTimeout: 'the scale-down fails and the node is taken into use again',
  },
  descheduler: {
    ...COMMON,
    name: 'descheduler',
    title: 'descheduler',
    cordons: false,
    flags: EVERYTHING,
    annotations: { 'requested-by': 'sigs.k8s.io/descheduler' },
    retriesAfter: 'nothing',
    retryDelaySeconds: 0,
    otherErrors: 'log',
    atTimeout: 'abandon',
    afterTimeout: 'it tries again in its next cycle',
  },
  capi: {
    ...COMMON,
    name: 'capi',
    title: 'Cluster API, deleting a Machine',
    flags: EVERYTHING,
    retriesAfter: 'any-error',
    retryDelaySeconds: 20,
    atTimeout: 'continue-destructively',
    afterTimeout: 'Cluster API goes on without the drain and deletes the machine',
  },
  'workload-updater': {
    ...COMMON,
    name: 'workload-updater',
    title: "KubeVirt's workload updater",
    cordons: false,
    flags: EVERYTHING,
    retriesAfter: 'any-error',
    retryDelaySeconds: 60,
    atTimeout: 'abandon',
    afterTimeout: 'the workload updater tries again in its next batch',
  },
};

/** The seconds that a pod gets to end when this client evicts it. Kubernetes gives 30 where the pod says nothing. */
export function graceSeconds(client: DrainClient, pod: Pod): number {
  const own = pod.spec?.terminationGracePeriodSeconds ?? 30;
  return client.gracePeriodSeconds ?? Math.min(own, client.maxGracePeriodSeconds ?? own);
}
