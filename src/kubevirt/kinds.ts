import type { z } from 'zod';
import * as objects from './objects.ts';

interface KindFacts {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly plural: string;
  readonly schema: z.ZodObject;
}

/**
 * Every kind that Drover reads. The version does not matter: all served versions of a group have the fields that the
 * schema names (kubevirt.io v1 and v1alpha3 are one structure).
 */
export const KINDS = {
  KubeVirt: { group: 'kubevirt.io', plural: 'kubevirts', schema: objects.kubeVirtSchema },
  VirtualMachine: {
    group: 'kubevirt.io',
    plural: 'virtualmachines',
    schema: objects.virtualMachineSchema,
  },
  VirtualMachineInstance: {
    group: 'kubevirt.io',
    plural: 'virtualmachineinstances',
    schema: objects.vmiSchema,
  },
  VirtualMachineInstanceMigration: {
    group: 'kubevirt.io',
    plural: 'virtualmachineinstancemigrations',
    schema: objects.migrationSchema,
  },
  VirtualMachineInstanceReplicaSet: {
    group: 'kubevirt.io',
    plural: 'virtualmachineinstancereplicasets',
    schema: objects.replicaSetSchema,
  },
  MigrationPolicy: {
    group: 'migrations.kubevirt.io',
    plural: 'migrationpolicies',
    schema: objects.migrationPolicySchema,
  },
  Pod: { group: '', plural: 'pods', schema: objects.podSchema },
  Node: { group: '', plural: 'nodes', schema: objects.nodeSchema },
  Namespace: { group: '', plural: 'namespaces', schema: objects.namespaceSchema },
  PersistentVolumeClaim: {
    group: '',
    plural: 'persistentvolumeclaims',
    schema: objects.persistentVolumeClaimSchema,
  },
  PersistentVolume: { group: '', plural: 'persistentvolumes', schema: objects.persistentVolumeSchema },
  PodDisruptionBudget: {
    group: 'policy',
    plural: 'poddisruptionbudgets',
    schema: objects.podDisruptionBudgetSchema,
  },
  ResourceQuota: { group: '', plural: 'resourcequotas', schema: objects.resourceQuotaSchema },
  DaemonSet: { group: 'apps', plural: 'daemonsets', schema: objects.daemonSetSchema },
  Deployment: { group: 'apps', plural: 'deployments', schema: objects.deploymentSchema },
  KubevirtMachine: {
    group: 'infrastructure.cluster.x-k8s.io',
    plural: 'kubevirtmachines',
    schema: objects.kubevirtMachineSchema,
  },
  Machine: { group: 'cluster.x-k8s.io', plural: 'machines', schema: objects.machineSchema },
  MachineSet: { group: 'cluster.x-k8s.io', plural: 'machinesets', schema: objects.machineSetSchema },
  MachineHealthCheck: {
    group: 'cluster.x-k8s.io',
    plural: 'machinehealthchecks',
    schema: objects.machineHealthCheckSchema,
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type KnownKind = keyof typeof KINDS;
/** The type of the objects of a kind. */
export type ObjectOf<K extends KnownKind> = z.infer<(typeof KINDS)[K]['schema']>;

/** A change of one object of these kinds. Absent: it was not there before, or is no more. */
export type ChangeOf<K extends KnownKind> = {
  readonly [Of in K]: {
    readonly kind: Of;
    readonly before?: ObjectOf<Of> | undefined;
    readonly after?: ObjectOf<Of> | undefined;
  };
}[K];

export const KNOWN_KINDS = Object.keys(KINDS) as readonly KnownKind[];

/** Whether Drover reads the kind, its group left out of account. */
export function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(KINDS, kind);
}

const CLUSTER_SCOPED: ReadonlySet<KnownKind> = new Set<KnownKind>([
  'MigrationPolicy',
  'Namespace',
  'Node',
  'PersistentVolume',
]);

/** Whether objects of the kind are in a namespace. */
export function isNamespaced(kind: KnownKind): boolean {
  return !CLUSTER_SCOPED.has(kind);
}

/** Where kubectl puts objects that name no namespace. */
export const DEFAULT_NAMESPACE = 'default';

/** `kubevirt.io` of `kubevirt.io/v1`; the core group (`v1`) is empty. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The known kind that an object's `apiVersion` and `kind` mean; a kind of the same name in another group is not known. */
export function knownKind(apiVersion: string, kind: string): KnownKind | undefined {
  return isKnownKind(kind) && KINDS[kind].group === groupOf(apiVersion) ? kind : undefined;
}

const BY_PLURAL = new Map<string, KnownKind>(KNOWN_KINDS.map((kind) => [KINDS[kind].plural, kind]));

/** The known kind of a plural resource name in any capitals (`virtualmachines`, `virtualMachines`). */
export function kindOfPlural(plural: string): KnownKind | undefined {
  return BY_PLURAL.get(plural.toLowerCase());
}
