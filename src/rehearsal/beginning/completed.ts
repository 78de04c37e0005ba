import type { Kind } from '../../fleet/fleet.ts';
import { DEVICE, FINALIZER, LABEL, NODE_LABEL_PREFIX } from '../../kubevirt/names.ts';
import type { Node, ObjectMeta, Vmi } from '../../kubevirt/objects.ts';

interface OfKind {
  readonly kind: Kind;
}

/** What guests ask of a node's machine. */
interface Hardware {
  readonly machineTypes: ReadonlySet<string>;
  readonly cpuModels: ReadonlySet<string>;
}

/** Without it the VM would be taken for one that never came up, and its restart would wait. */
const HAS_RUN = [{ phase: 'Running' }];
const HOST_MODEL = 'Skylake-Server';

/** What the guests that run ask for: some node must have it, whatever its labels say. */
export function hardwareOf(vmis: Iterable<Vmi>): Hardware {
  const [machineTypes, cpuModels] = [new Set(['q35']), new Set([HOST_MODEL])];
  for (const { spec } of vmis) {
    const { machine, cpu } = spec?.domain ?? {};
    if (machine?.type) machineTypes.add(machine.type);
    if (cpu?.model && !BY_THE_HOST.has(cpu.model)) cpuModels.add(cpu.model);
  }
  return { machineTypes, cpuModels };
}

const BY_THE_HOST: ReadonlySet<string> = new Set(['host-model', 'host-passthrough']);

/** Labels of a node by their beginning, with what is added where it has none such. */
function labelsFor({ machineTypes, cpuModels }: Hardware): [prefix: string, names: Iterable<string>][] {
  return [
    [NODE_LABEL_PREFIX.machineType, machineTypes],
    [NODE_LABEL_PREFIX.cpuModel, cpuModels],
    [NODE_LABEL_PREFIX.cpuModelMigration, [HOST_MODEL]],
    [NODE_LABEL_PREFIX.cpuVendor, ['Intel']],
    [NODE_LABEL_PREFIX.hostModelCpu, [HOST_MODEL]],
    [LABEL.arch, ['']],
  ];
}

/**
 * An object of a snapshot with what every real one has and a trimmed one may lack, since without it nothing would be started or
 * moved: what virt-handler writes of a node and of a running VMI. What is there stays.
 */
export function completed<T extends OfKind>(object: T, hardware: Hardware): T {
  if (object.kind === 'Node') return completedNode(object as T & Node, hardware);
  if (object.kind === 'VirtualMachineInstance') return completedVmi(object as T & OfKind & Vmi);
  return object;
}

function completedVmi<T extends OfKind & Vmi>(vmi: T): T {
  const { status } = vmi;
  if (status?.phase !== 'Running') return vmi;
  const { selinuxContext = 'none', phaseTransitionTimestamps = HAS_RUN } = status;
  return kept({ ...vmi, status: { ...status, selinuxContext, phaseTransitionTimestamps } });
}

/** A VMI that nothing keeps would be gone with its deletion, before its guest has shut down; every other object as it is. */
export function kept<T extends { readonly kind: string; readonly metadata: ObjectMeta }>(object: T): T {
  if (object.kind !== 'VirtualMachineInstance' || object.metadata.finalizers) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [FINALIZER.foregroundDelete] } };
}

function completedNode<T extends Node>(node: T, hardware: Hardware): T {
  const held = node.metadata.labels ?? {};
  const missing = labelsFor(hardware).flatMap(([prefix, names]) =>
    Object.keys(held).some((label) => label.startsWith(prefix))
      ? []
      : [...names].map((name) => [`${prefix}${name}`, prefix.endsWith('/') ? 'true' : 'amd64']),
  );
  const devices = Object.fromEntries(Object.values(DEVICE).map((device) => [device, '1k']));
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...held, ...Object.fromEntries(missing) } },
    status: { ...node.status, allocatable: { ...devices, ...node.status?.allocatable } },
  };
}
