import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { KINDS } from '../../kubevirt/kinds.ts';
import { kindSchema } from './kind-schema.ts';

/** One kind of the lab, as far as the API server must know it. */
interface CrdFacts {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly categories: readonly string[];
  readonly subresources: JsonObject | undefined;
  readonly columns: readonly Column[];
  /** What the API server holds the kind to; absent: nothing. */
  readonly schema?: JsonObject;
}

interface Column {
  readonly name: string;
  readonly type: 'string' | 'date' | 'integer';
  readonly jsonPath: string;
  /** Above 0: shown by `-o wide` only. */
  readonly priority?: number;
}

interface Version {
  readonly name: string;
  readonly deprecated?: boolean;
}

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const STATUS = { status: {} };
const SCALE = {
  ...STATUS,
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  },
};

const text = (name: string, jsonPath: string): Column => ({ name, type: 'string', jsonPath });
const count = (name: string, jsonPath: string): Column => ({ name, type: 'integer', jsonPath });
const AGE: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function condition(type: string, name: string = type, priority?: number): Column {
  const column = text(name, `.status.conditions[?(@.type=='${type}')].status`);
  return priority === undefined ? column : { ...column, priority };
}

const NAMESPACED = { scope: 'Namespaced', categories: ['all'], subresources: STATUS } as const;

/** kubevirt v1.9.0 pkg/virt-operator/resource/generate/components/crds.go:149-930 */
const KUBEVIRT: readonly CrdFacts[] = [
  {
    ...NAMESPACED,
    kind: 'KubeVirt',
    schema: kindSchema(KINDS.KubeVirt.schema),
    plural: 'kubevirts',
    shortNames: ['kv', 'kvs'],
    columns: [AGE, text('Phase', '.status.phase')],
  },
  {
    ...NAMESPACED,
    kind: 'VirtualMachine',
    plural: 'virtualmachines',
    shortNames: ['vm', 'vms'],
    columns: [AGE, text('Status', '.status.printableStatus'), condition('Ready')],
    schema: withPrintableStatus(kindSchema(KINDS.VirtualMachine.schema)),
  },
  {
    ...NAMESPACED,
    // None at all: status is written through the object itself.
    subresources: undefined,
    kind: 'VirtualMachineInstance',
    schema: kindSchema(KINDS.VirtualMachineInstance.schema),
    plural: 'virtualmachineinstances',
    shortNames: ['vmi', 'vmis'],
    columns: [
      AGE,
      text('Phase', '.status.phase'),
      text('IP', '.status.interfaces[0].ipAddress'),
      text('NodeName', '.status.nodeName'),
      condition('Ready'),
      condition('LiveMigratable', 'Live-Migratable', 1),
      condition('Paused', 'Paused', 1),
    ],
  },
  {
    ...NAMESPACED,
    kind: 'VirtualMachineInstanceMigration',
    schema: kindSchema(KINDS.VirtualMachineInstanceMigration.schema),
    plural: 'virtualmachineinstancemigrations',
    shortNames: ['vmim', 'vmims'],
    columns: [text('Phase', '.status.phase'), text('VMI', '.spec.vmiName')],
  },
  {
    ...NAMESPACED,
    kind: 'VirtualMachineInstanceReplicaSet',
    schema: kindSchema(KINDS.VirtualMachineInstanceReplicaSet.schema),
    plural: 'virtualmachineinstancereplicasets',
    shortNames: ['vmirs', 'vmirss'],
    subresources: SCALE,
    columns: [
      count('Desired', '.spec.replicas'),
      count('Current', '.status.replicas'),
      count('Ready', '.status.readyReplicas'),
      AGE,
    ],
  },
];

const MIGRATION_POLICY: CrdFacts = {
  kind: 'MigrationPolicy',
  schema: kindSchema(KINDS.MigrationPolicy.schema),
  plural: 'migrationpolicies',
  shortNames: [],
  scope: 'Cluster',
  categories: [],
  subresources: STATUS,
  columns: [],
};

/** cluster-api-provider-kubevirt v0.1.10 */
const KUBEVIRT_MACHINE: CrdFacts = {
  kind: 'KubevirtMachine',
  plural: 'kubevirtmachines',
  shortNames: [],
  scope: 'Namespaced',
  categories: ['cluster-api'],
  subresources: STATUS,
  columns: [AGE],
};

/** cluster-api v1.10.1; only what Drover needs to be told apart. */
const CLUSTER_API: readonly CrdFacts[] = [
  { kind: 'Machine', plural: 'machines', shortNames: ['ma'] },
  { kind: 'MachineSet', plural: 'machinesets', shortNames: ['ms'] },
  { kind: 'MachineHealthCheck', plural: 'machinehealthchecks', shortNames: ['mhc', 'mhcs'] },
].map((facts) => ({
  ...facts,
  scope: 'Namespaced',
  categories: ['cluster-api'],
  subresources: STATUS,
  columns: [AGE],
}));

const KUBEVIRT_VERSIONS: readonly Version[] = [{ name: 'v1' }, { name: 'v1alpha3', deprecated: true }];

/**
 * The lab's own definitions of KubeVirt's kinds: names, scopes, subresources, short names, categories and columns are
 * KubeVirt's, and so are the types of the fields that Drover reads; others may hold anything.
 */
export function kubevirtCrds(): readonly JsonObject[] {
  return [
    ...KUBEVIRT.map((facts) => crd('kubevirt.io', KUBEVIRT_VERSIONS, facts)),
    crd('migrations.kubevirt.io', [{ name: 'v1alpha1' }], MIGRATION_POLICY),
  ];
}

/** Kinds of Cluster API and of its KubeVirt provider, in the same manner. */
export function clusterApiCrds(): readonly JsonObject[] {
  return [
    crd('infrastructure.cluster.x-k8s.io', [{ name: 'v1alpha1' }], KUBEVIRT_MACHINE),
    ...CLUSTER_API.map((facts) => crd('cluster.x-k8s.io', [{ name: 'v1beta1' }], facts)),
  ];
}

function crd(group: string, versions: readonly Version[], facts: CrdFacts): JsonObject {
  const { kind, plural, shortNames, scope, categories } = facts;
  const names = {
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames,
    categories,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names,
      versions: versions.map((version, i) => crdVersion(version, i === 0, facts)),
    },
  };
}

function crdVersion(
  version: Version,
  storage: boolean,
  { subresources, columns, schema = ANYTHING }: CrdFacts,
): JsonObject {
  return {
    ...version,
    served: true,
    storage,
    ...(subresources ? { subresources } : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
    schema: { openAPIV3Schema: schema },
  };
}

/** The API server fills it in. */
function withPrintableStatus(schema: JsonObject): JsonObject {
  const properties = objectAt(schema, 'properties');
  const status = objectAt(properties, 'status');
  const own = objectAt(status, 'properties');
  const printableStatus = { ...objectAt(own, 'printableStatus'), default: 'Stopped' };
  return {
    ...schema,
    properties: { ...properties, status: { ...status, properties: { ...own, printableStatus } } },
  };
}
