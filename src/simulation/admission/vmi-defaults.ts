/** What KubeVirt's mutator fills into a new VMI (kubevirt v1.9.0 pkg/defaults/defaults.go, vmi-create-mutator.go). */
import { strategyStampTable } from '../../decide/eviction-strategy.ts';
import { memoryHotplugObstacle } from '../../decide/live-edit/memory.ts';
import { resultOf } from '../../decide/rules.ts';
import { withDefaultDevices } from '../../decide/run-strategy/render-vmi.ts';
import { resolveSettings } from '../../decide/settings.ts';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { ANNOTATION, FINALIZER, PCI_TOPOLOGY_VERSION, ROLLOUT_STRATEGY } from '../../kubevirt/names.ts';
import type { KubeVirt, Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { formatBytes, parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';
import { extended } from '../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../kubevirt/time.ts';

const DEFAULT_HOTPLUG_RATIO = 4;
const MOST_VCPUS = 512;
/** Guests with less memory get no room for more, as the recordings of KubeVirt v1.9.0 show. */
const LEAST_GROWING_BYTES = 2 ** 30;
/** Launchers run as this user. */
const NON_ROOT_USER = 107;

/** A VMI as it is stored: complete, in phase Pending, kept by a finalizer until its pods are gone, its eviction strategy stamped. */
export function withVmiDefaults(vmi: JsonObject, kubevirt: KubeVirt | undefined, now: Instant): JsonObject {
  const metadata = objectAt(vmi, 'metadata');
  const spec = withSpecDefaults(vmi, kubevirt);
  return {
    ...vmi,
    metadata: {
      ...metadata,
      annotations: {
        [ANNOTATION.pciTopologyVersion]: PCI_TOPOLOGY_VERSION,
        ...objectAt(metadata, 'annotations'),
      },
      finalizers: withFinalizer(metadata.finalizers),
    },
    spec,
    status: extended(objectAt(vmi, 'status'), firstStatus(spec, now)),
  };
}

/** KubeVirt refuses a VMI where its CR names no default; clusters made up for a simulation need not. */
export function architectureOf(spec: JsonObject, kubevirt: KubeVirt | undefined): string {
  return String(spec.architecture || kubevirt?.status?.defaultArchitecture || 'amd64');
}

export function machineTypeOf(architecture: string): string {
  if (architecture === 'arm64') return 'virt';
  return architecture === 's390x' ? 's390-ccw-virtio' : 'q35';
}

function withFinalizer(finalizers: unknown): readonly unknown[] {
  const held: readonly unknown[] = Array.isArray(finalizers) ? finalizers : [];
  return held.includes(FINALIZER.foregroundDelete) ? held : [...held, FINALIZER.foregroundDelete];
}

function firstStatus(spec: JsonObject, now: Instant): JsonObject {
  const { sockets, cores, threads } = objectAt(objectAt(spec, 'domain'), 'cpu');
  const { guest } = objectAt(objectAt(spec, 'domain'), 'memory');
  const phase = 'Pending';
  return {
    phase,
    phaseTransitionTimestamps: [{ phase, phaseTransitionTimestamp: formatInstant(now) }],
    runtimeUser: NON_ROOT_USER,
    currentCPUTopology: { sockets, cores, threads },
    ...(guest !== undefined && {
      memory: { guestAtBoot: guest, guestCurrent: guest, guestRequested: guest },
    }),
  };
}

function withSpecDefaults(vmi: JsonObject, kubevirt: KubeVirt | undefined): JsonObject {
  const sent = objectAt(vmi, 'spec');
  const settings = resolveSettings(kubevirt);
  const result = resultOf(strategyStampTable, { vmi: vmi as unknown as Vmi, settings });
  const architecture = architectureOf(sent, kubevirt);
  const spec = withDefaultDevices(withPullPolicies(sent));
  const domain = objectAt(spec, 'domain');
  const features = objectAt(domain, 'features');
  const memory = withGuestMemory(domain);
  const completed = {
    ...spec,
    architecture,
    evictionStrategy: result,
    domain: {
      ...domain,
      resources: objectAt(domain, 'resources'),
      machine: { type: machineTypeOf(architecture), ...objectAt(domain, 'machine') },
      features: { ...features, acpi: { enabled: true, ...objectAt(features, 'acpi') } },
      cpu: { model: 'host-model', ...withTopology(domain) },
      ...(memory && { memory }),
    },
  };
  const isHotpluggable =
    settings.vmRolloutStrategy === ROLLOUT_STRATEGY.liveUpdate && architecture !== 'arm64';
  return isHotpluggable ? withRoomToGrow(completed, kubevirt) : completed;
}

function withPullPolicies(spec: JsonObject): JsonObject {
  const volumes = objectsAt(spec, 'volumes').map((volume) =>
    volume.containerDisk === undefined
      ? volume
      : { ...volume, containerDisk: withPullPolicy(objectAt(volume, 'containerDisk')) },
  );
  return volumes.length > 0 ? { ...spec, volumes } : spec;
}

function withPullPolicy(disk: JsonObject): JsonObject {
  const image = String(disk.image ?? '');
  const mayChange = image.endsWith(':latest') || !/[:@]/.test(image);
  return { imagePullPolicy: mayChange ? 'Always' : 'IfNotPresent', ...disk };
}

/** An amount that is only asked of the node is taken for the guest's. */
function withGuestMemory(domain: JsonObject): JsonObject | undefined {
  const memory = objectAt(domain, 'memory');
  if (memory.guest !== undefined) return memory;
  const resources = objectAt(domain, 'resources');
  const guest =
    objectAt(resources, 'requests').memory ??
    objectAt(resources, 'limits').memory ??
    objectAt(memory, 'hugepages').pageSize;
  return guest === undefined ? undefined : { ...memory, guest };
}

/** Sockets by the CPUs that are asked of the node, where the guest's topology is not named. */
function withTopology(domain: JsonObject): JsonObject {
  const cpu = objectAt(domain, 'cpu');
  if (cpu.sockets || cpu.cores || cpu.threads) return cpu;
  const resources = objectAt(domain, 'resources');
  const asked = objectAt(resources, 'limits').cpu ?? objectAt(resources, 'requests').cpu;
  const sockets = Math.ceil(parseQuantity(asked as Quantity | undefined) ?? 1);
  return { ...cpu, sockets, cores: 1, threads: 1 };
}

/** How far CPU and memory may grow while the VMI runs, where the VM is made for that. */
function withRoomToGrow(spec: JsonObject, kubevirt: KubeVirt | undefined): JsonObject {
  const live = kubevirt?.spec?.configuration?.liveUpdateConfiguration;
  const ratio = live?.maxHotplugRatio ?? DEFAULT_HOTPLUG_RATIO;
  const domain = objectAt(spec, 'domain');
  const cpu = objectAt(domain, 'cpu');
  const maxSockets = cpu.maxSockets || mostSockets(cpu, ratio, live?.maxCpuSockets);
  const grown = { ...domain, cpu: { ...cpu, maxSockets } };
  const memory = objectAt(domain, 'memory');
  const guest = memory.guest as Quantity | undefined;
  const maxGuest = live?.maxGuest ?? multiple(guest, ratio);
  const isFixed = memory.maxGuest !== undefined || (parseQuantity(guest) ?? 0) < LEAST_GROWING_BYTES;
  const stays = isFixed || memoryHotplugObstacle(spec as VmiSpec, maxGuest) !== undefined;
  return { ...spec, domain: stays ? grown : { ...grown, memory: { ...memory, maxGuest } } };
}

function mostSockets(cpu: JsonObject, ratio: number, configured: number | undefined): number {
  const sockets = Number(cpu.sockets ?? 0);
  if (configured) return Math.max(configured, sockets);
  const perSocket = Number(cpu.cores ?? 0) * Number(cpu.threads ?? 0);
  const wanted = sockets * ratio;
  return wanted * perSocket > MOST_VCPUS ? Math.max(Math.floor(MOST_VCPUS / perSocket), sockets) : wanted;
}

function multiple(quantity: Quantity | undefined, ratio: number): Quantity | undefined {
  const bytes = parseQuantity(quantity);
  return bytes === undefined ? undefined : formatBytes(Math.ceil(bytes) * ratio);
}
