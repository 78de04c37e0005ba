/** The cluster that a scenario begins with. */
import { z } from 'zod';
import { METHOD, ROLLOUT_STRATEGY, STRATEGY } from '../kubevirt/names.ts';
import { migrationConfigurationSchema } from '../kubevirt/objects.ts';
import { fleetSchema } from './fleet-schema.ts';
import { vmSchema } from './vm-schema.ts';
import { interval, oneOf, processors, size } from './words.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const taintSchema = z.strictObject({
  key: z.string().meta({ description: 'Key of the taint.', examples: ['kubevirt.io/drain'] }),
  value: z.string().optional().describe('Value of the taint; absent: empty.'),
  effect: z.string().meta({ description: 'What it keeps off.', examples: EFFECTS }),
});

const nodeSchema = z.union([
  z.string(),
  z.strictObject({
    name: z.string().describe('Name of the node.'),
    labels: z
      .record(z.string(), z.string())
      .optional()
      .describe('Labels, beside those that KubeVirt gives a node; absent: no others.'),
    taints: z.array(taintSchema).optional().describe('Taints; absent: none.'),
    unschedulable: z.boolean().optional().describe('Whether it is cordoned; absent: it is not.'),
    cpu: processors.optional().describe('CPUs for pods; absent: 64.'),
    memory: size.optional().describe('Memory for pods; absent: 256Gi.'),
    allocatable: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: 'What it has for pods besides, by resource: devices, huge pages; absent: nothing.',
        examples: [{ 'nvidia.com/GRID_T4-2Q': '2' }],
      }),
  }),
]);

const kubevirtSchema = z.strictObject({
  version: z.string().optional().describe('Version that is rolled out; absent: v1.9.0.'),
  phase: z
    .string()
    .optional()
    .describe('status.phase; absent: Deployed. Any other closes the gate of updates.'),
  observed: z
    .string()
    .optional()
    .describe('status.observedDeploymentID; absent: d1. Other than target: the gate of updates is closed.'),
  target: z.string().optional().describe('status.targetDeploymentID; absent: d1.'),
  methods: z
    .array(oneOf(Object.values(METHOD)))
    .optional()
    .describe('workloadUpdateMethods, by which outdated VMs are updated; absent: none, and no VM is.'),
  evictionStrategy: oneOf(Object.values(STRATEGY))
    .optional()
    .describe("The cluster's eviction strategy, for VMIs that are created without one; absent: None."),
  batchEvictionSize: z
    .number()
    .optional()
    .describe('VMs that the updater evicts at once; absent: 10. 0 or less: it evicts none.'),
  batchEvictionInterval: interval
    .optional()
    .meta({ description: 'Time between two batches of evictions; absent: 1m.', examples: ['1m', '90s'] }),
  vmRolloutStrategy: oneOf(Object.values(ROLLOUT_STRATEGY))
    .optional()
    .describe('Whether edits of a VM reach its running VMI; absent: LiveUpdate, they do as far as they can.'),
  migrations: migrationConfigurationSchema
    .omit({ experimental: true })
    .strict()
    .optional()
    .describe("Settings of live migrations; absent: KubeVirt's defaults."),
  configuration: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      description: 'More of spec.configuration, as KubeVirt writes it; absent: no more.',
      examples: [{ developerConfiguration: { featureGates: ['VGPULiveMigration'] } }],
    }),
});

export const clusterSchema = z
  .strictObject({
    namespace: z
      .string()
      .optional()
      .describe('Namespace of the VMs and of objects without one; absent: default.'),
    kubevirt: kubevirtSchema
      .optional()
      .describe('The KubeVirt object; absent: v1.9.0, rolled out, without update methods.'),
    nodes: z.array(nodeSchema).default([]).describe('Nodes, each by its name alone or with more.'),
    vms: z.array(vmSchema).default([]).describe('VMs, one by one.'),
    fleet: fleetSchema.optional().describe('Many more nodes and VMs, drawn by chance; absent: none.'),
    snapshot: z
      .string()
      .optional()
      .meta({
        description:
          'File beside this one that kubectl get -o yaml|json wrote of a real cluster, in place of everything else here; absent: none.',
        examples: ['cluster.yaml'],
      }),
    objects: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('Further Kubernetes objects, as they are in a manifest; absent: none.'),
  })
  .refine(({ snapshot, nodes, vms, fleet, objects, kubevirt }) => {
    const isDescribed = nodes.length + vms.length > 0 || [fleet, objects, kubevirt].some(Boolean);
    return snapshot === undefined || !isDescribed;
  }, 'a cluster is a snapshot, or is described here; not both');
export type ScenarioCluster = z.infer<typeof clusterSchema>;
export type ScenarioNode = z.infer<typeof nodeSchema>;
