/** A scenario file: a small cluster in a few words, what is asked about it, and what must be answered. */
import { z } from 'zod';
import { METHOD, ROLLOUT_STRATEGY, RUN_STRATEGY, STRATEGY } from '../kubevirt/names.ts';
import { migrationConfigurationSchema } from '../kubevirt/objects.ts';
import { behaviorFileSchema } from '../simulation/guests/behavior-file.ts';
import { fleetSchema } from './fleet-schema.ts';
import { expectSchema, settingsSchema, timelineEntrySchema } from './timeline-schema.ts';
import { interval, oneOf, processors, size } from './words.ts';

const strategy = oneOf(Object.values(STRATEGY));
const PHASES = ['Stopped', 'Pending', 'Scheduling', 'Scheduled', 'Running', 'Succeeded', 'Failed', 'Unknown'];

const nodeSchema = z.union([
  z.string(),
  z.strictObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
    taints: z
      .array(z.strictObject({ key: z.string(), value: z.string().optional(), effect: z.string() }))
      .optional(),
    unschedulable: z.boolean().optional(),
    cpu: processors.optional(),
    memory: size.optional(),
  }),
]);

const vmSchema = z.strictObject({
  name: z.string(),
  node: z.string().optional(),
  /** Of the VMI; Stopped: there is none. */
  phase: oneOf(PHASES).optional(),
  /** Image of the running launcher; empty: not known yet. */
  launcher: z.string().optional(),
  /** `true`, or the reason that LiveMigratable=False carries; absent: no condition. */
  migratable: z.union([z.literal(true), z.string()]).optional(),
  message: z.string().optional(),
  /** Stamped on the VMI. */
  strategy: strategy.optional(),
  /** Set by the VM's template. */
  templateStrategy: strategy.optional(),
  /** Absent with `standalone`. */
  runStrategy: oneOf(Object.values(RUN_STRATEGY)).optional(),
  standalone: z.boolean().optional(),
  graceSeconds: z.number().optional(),
  acpi: z.boolean().optional(),
  marked: z.string().optional(),
  deleting: z.boolean().optional(),
  conditions: z.record(z.string(), z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  sockets: z.number().optional(),
  maxSockets: z.number().optional(),
  cpu: processors.optional(),
  memory: size.optional(),
  /** Volumes with a claim, by name: their access modes. */
  claims: z.record(z.string(), z.array(z.string())).optional(),
  /** Names of claims that move to another volume. */
  migratedVolumes: z.array(z.string()).optional(),
  /** A hot-plugged volume with its attachment pod. */
  hotplugged: z.boolean().optional(),
});

const clusterSchema = z
  .strictObject({
    namespace: z.string().optional(),
    kubevirt: z
      .strictObject({
        version: z.string().optional(),
        phase: z.string().optional(),
        observed: z.string().optional(),
        target: z.string().optional(),
        methods: z.array(oneOf(Object.values(METHOD))).optional(),
        evictionStrategy: strategy.optional(),
        batchEvictionSize: z.number().optional(),
        batchEvictionInterval: interval.optional(),
        vmRolloutStrategy: oneOf(Object.values(ROLLOUT_STRATEGY)).optional(),
        migrations: migrationConfigurationSchema.omit({ experimental: true }).strict().optional(),
      })
      .optional(),
    nodes: z.array(nodeSchema).default([]),
    vms: z.array(vmSchema).default([]),
    /** Many more nodes and VMs, drawn. */
    fleet: fleetSchema.optional(),
    /** What `kubectl get -o yaml|json` wrote of a real cluster, beside this file; nothing else of the cluster is read then. */
    snapshot: z.string().optional(),
    /** Further Kubernetes objects as they are. */
    objects: z.array(z.record(z.string(), z.unknown())).optional(),
  })
  .refine(({ snapshot, nodes, vms, fleet, objects, kubevirt }) => {
    const isDescribed = nodes.length + vms.length > 0 || [fleet, objects, kubevirt].some(Boolean);
    return snapshot === undefined || !isDescribed;
  }, 'a cluster is a snapshot, or is described here; not both');

const askSchema = z.strictObject({
  /** As typed behind the program's name. */
  ask: z.string(),
  /** VM → outcome, for every VM that the answer is about. */
  expect: z.record(z.string(), z.string()),
  /** Texts that the answer contains somewhere. */
  says: z.array(z.string()).optional(),
});

export const scenarioSchema = z.strictObject({
  title: z.string(),
  source: z.string().optional(),
  cluster: clusterSchema.default({ nodes: [], vms: [] }),
  /** Questions that need no time. */
  asks: z.array(askSchema).default([]),
  settings: settingsSchema.default({}),
  /** How guests behave: the first entry that picks a VM and says something counts. */
  guests: behaviorFileSchema.default([]),
  /** What is done to the cluster. */
  timeline: z.array(timelineEntrySchema).default([]),
  /** What must have come true in the end. */
  expect: expectSchema.optional(),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioCluster = z.infer<typeof clusterSchema>;
export type ScenarioVm = z.infer<typeof vmSchema>;
export type ScenarioNode = z.infer<typeof nodeSchema>;
