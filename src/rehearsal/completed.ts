import type { Kind } from '../fleet/fleet.ts';
import type { Node, Vmi } from '../kubevirt/objects.ts';

interface OfKind {
  readonly kind: Kind;
}

/** Labels of a node by their beginning, with what is added where it has none such. */
const LABELS: Readonly<Record<string, string>> = {
  'machine-type.node.kubevirt.io/': 'q35',
  'cpu-model.node.kubevirt.io/': 'Skylake-Server',
  'cpu-model-migration.node.kubevirt.io/': 'Skylake-Server',
  'cpu-vendor.node.kubevirt.io/': 'Intel',
  'host-model-cpu.node.kubevirt.io/': 'Skylake-Server',
  'kubernetes.io/arch': '',
};
const DEVICES = ['kvm', 'tun', 'vhost-net'].map((device) => `devices.kubevirt.io/${device}`);

/**
 * An object of a snapshot with what every real one has and a trimmed one may lack, since without it nothing would be started or
 * moved: what virt-handler writes of a node and of a running VMI. What is there stays.
 */
export function completed<T extends OfKind>(object: T): T {
  if (object.kind === 'Node') return completedNode(object as T & Node);
  if (object.kind === 'VirtualMachineInstance') return completedVmi(object as T & Vmi);
  return object;
}

function completedVmi<T extends Vmi>(vmi: T): T {
  const { status } = vmi;
  if (status?.phase !== 'Running' || status.selinuxContext !== undefined) return vmi;
  return { ...vmi, status: { ...status, selinuxContext: 'none' } };
}

function completedNode<T extends Node>(node: T): T {
  const held = node.metadata.labels ?? {};
  const missing = Object.entries(LABELS).flatMap(([prefix, name]) =>
    Object.keys(held).some((label) => label.startsWith(prefix))
      ? []
      : [[`${prefix}${name}`, prefix.endsWith('/') ? 'true' : 'amd64']],
  );
  const devices = Object.fromEntries(DEVICES.map((device) => [device, '1k']));
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...held, ...Object.fromEntries(missing) } },
    status: { ...node.status, allocatable: { ...devices, ...node.status?.allocatable } },
  };
}
