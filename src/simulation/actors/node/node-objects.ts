import { ANNOTATION, LABEL, NODE_LABEL_PREFIX } from '../../../kubevirt/names.ts';
import type { Node } from '../../../kubevirt/objects.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';

/** A node to bring up. What is absent is as in the recorded histories. */
export interface NodeDescription {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
  readonly pods?: string | undefined;
  readonly cpuModel?: string | undefined;
  readonly cpuVendor?: string | undefined;
  readonly machineTypes?: readonly string[] | undefined;
  /** What it tells of its machine, besides architecture and system. */
  readonly info?: object | undefined;
}

/** Devices as their plugin offers them: more than any node uses. */
const DEVICES = {
  'devices.kubevirt.io/kvm': '1k',
  'devices.kubevirt.io/tun': '1k',
  'devices.kubevirt.io/vhost-net': '1k',
};

/** The node as kubelet registers it, with the labels and devices of a virt-handler that has had a look at it. */
export function newNode(description: NodeDescription, now: Instant): object {
  const { name, cpu = '64', memory = '256Gi', pods = '250', info } = description;
  const offered = { cpu, memory, pods, 'ephemeral-storage': '1Ti', ...DEVICES };
  const at = formatInstant(now);
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: labelsOf(description), annotations: { [ANNOTATION.heartbeat]: at } },
    spec: {},
    status: {
      capacity: offered,
      allocatable: offered,
      conditions: [ready],
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux', ...info },
    },
  };
}

function labelsOf(description: NodeDescription): Record<string, string> {
  const { name, labels, cpuModel = 'Skylake-Server', cpuVendor = 'Intel', machineTypes } = description;
  const machines = machineTypes ?? ['q35', 'pc-q35-rhel9.6.0'];
  return {
    [LABEL.hostname]: name,
    [LABEL.arch]: 'amd64',
    'kubernetes.io/os': 'linux',
    [LABEL.schedulable]: 'true',
    [LABEL.cpuManager]: 'false',
    [NODE_LABEL_PREFIX.hostModelCpu + cpuModel]: 'true',
    [NODE_LABEL_PREFIX.cpuModelMigration + cpuModel]: 'true',
    [NODE_LABEL_PREFIX.cpuModel + cpuModel]: 'true',
    [NODE_LABEL_PREFIX.cpuVendor + cpuVendor]: 'true',
    ...Object.fromEntries(machines.map((machine) => [NODE_LABEL_PREFIX.machineType + machine, 'true'])),
    ...labels,
  };
}

/** virt-handler has been heard of. */
export function withHeartbeat(node: Node, now: Instant): Node {
  const { labels, annotations } = node.metadata;
  const metadata = {
    ...node.metadata,
    labels: { ...labels, [LABEL.schedulable]: 'true' },
    annotations: { ...annotations, [ANNOTATION.heartbeat]: formatInstant(now) },
  };
  return { ...node, metadata };
}
