/** A VM of a scenario, with its VMI and its pods. */
import { z } from 'zod';
import { RUN_STRATEGY, STRATEGY } from '../kubevirt/names.ts';
import { oneOf, processors, size } from './words.ts';

const PHASES = ['Stopped', 'Pending', 'Scheduling', 'Scheduled', 'Running', 'Succeeded', 'Failed', 'Unknown'];

const strategy = oneOf(Object.values(STRATEGY));

const rawObject = z.record(z.string(), z.unknown());

export const vmSchema = z.strictObject({
  name: z.string().describe('Name of the VM, its VMI and what its pods are named after.'),
  node: z
    .string()
    .optional()
    .describe(
      'Node that its launcher pod is on; absent: it has no pod yet, or in phase Scheduling one without a node.',
    ),
  phase: oneOf(PHASES)
    .optional()
    .describe('Phase of the VMI; absent: Running. Stopped: there is a VM, and no VMI.'),
  launcher: z
    .string()
    .optional()
    .meta({
      description: 'Image of the running launcher; absent: L1. Empty: not known yet.',
      examples: ['L1'],
    }),
  migratable: z
    .union([z.literal(true), z.string()])
    .optional()
    .meta({
      description:
        'true: it can live-migrate; a text: the reason why it cannot; absent: virt-handler has not said.',
      examples: [true, 'DisksNotLiveMigratable', 'HostDeviceNotLiveMigratable'],
    }),
  message: z
    .string()
    .optional()
    .describe('Message beside the reason why it cannot live-migrate; absent: none.'),
  strategy: strategy
    .optional()
    .describe('Eviction strategy in the spec of the VMI, as stamped when it was created; absent: none.'),
  templateStrategy: strategy
    .optional()
    .describe("Eviction strategy in the VM's template; absent: the next VMI takes the cluster's."),
  runStrategy: oneOf(Object.values(RUN_STRATEGY))
    .optional()
    .describe('Run strategy of the VM; absent: Always. A standalone VMI has none.'),
  standalone: z.boolean().optional().describe('The VMI has no VM that owns it; absent: it has.'),
  graceSeconds: z
    .number()
    .optional()
    .meta({ description: 'Seconds that the guest has to shut down; absent: 30.', examples: [30, 180] }),
  acpi: z
    .boolean()
    .optional()
    .describe('Whether the guest has ACPI, and with it a power button; absent: it has.'),
  marked: z
    .string()
    .optional()
    .describe('Node in status.evacuationNodeName, for which the VMI is marked; absent: it is not.'),
  deleting: z.boolean().optional().describe('Whether the VMI is being deleted; absent: it is not.'),
  conditions: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description: 'Further conditions of the VMI, by type: their status; absent: none.',
      examples: [{ HotVCPUChange: 'True' }],
    }),
  labels: z.record(z.string(), z.string()).optional().describe('Labels of VM, VMI and pod; absent: none.'),
  nodeSelector: z
    .record(z.string(), z.string())
    .optional()
    .describe('Labels that a node needs for it; absent: any node will do.'),
  affinity: rawObject
    .optional()
    .describe('To nodes and to other pods, as Kubernetes writes it; absent: any company will do.'),
  tolerations: z
    .array(rawObject)
    .optional()
    .describe('Taints that it bears, as Kubernetes writes them; absent: none.'),
  topologySpreadConstraints: z
    .array(rawObject)
    .optional()
    .describe('How VMs like it spread, as Kubernetes writes it; absent: as they come.'),
  sockets: z.number().optional().describe('CPU sockets of the guest; absent: 1.'),
  maxSockets: z.number().optional().describe('Sockets that may be plugged in while it runs; absent: 4.'),
  cpu: processors.optional().describe('CPUs that its pod asks for; absent: 100m.'),
  memory: size
    .optional()
    .describe(
      'Memory of the guest, for which its pod asks with what is around it; from 1Gi on it may get four times as much while it runs; absent: 1Gi.',
    ),
  claims: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .meta({
      description: 'Volumes with a claim, by name: access modes of the claim; absent: none.',
      examples: [{ data: ['ReadWriteOnce'] }],
    }),
  migratedVolumes: z
    .array(z.string())
    .optional()
    .describe('Names of the claims that are being moved to another volume; absent: none.'),
  spec: rawObject.optional().meta({
    description:
      "More of the VMI's spec, as KubeVirt writes it: a merge patch of what is said here; absent: no more.",
    examples: [{ domain: { devices: { gpus: [{ name: 'gpu', deviceName: 'nvidia.com/GRID_T4-2Q' }] } } }],
  }),
  hotplugged: z
    .boolean()
    .optional()
    .describe('It has a plugged volume, with an attachment pod; absent: it has none.'),
});
export type ScenarioVm = z.infer<typeof vmSchema>;
