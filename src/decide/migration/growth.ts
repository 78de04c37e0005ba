/** What a launcher needs more than the one that the VMI is in, since CPUs or memory were plugged into the guest. */
import type { Container, Vmi } from '../../kubevirt/objects.ts';
import { formatBytes, formatCores, parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';

/** What each vCPU costs beside the guest's memory (kubevirt v1.9.0 pkg/virt-controller/services, GetMemoryOverhead). */
const OVERHEAD_PER_VCPU_BYTES = 8 * 2 ** 20;

export interface Growth {
  /** Wanted vCPUs over those that the guest has. */
  readonly cpuFactor: number;
  readonly guestBytes: number;
  readonly overheadBytes: number;
}

interface Topology {
  readonly sockets?: number | undefined;
  readonly cores?: number | undefined;
  readonly threads?: number | undefined;
}

/** No growth where the VMI does not tell what the guest has now. It can be negative. */
export function growthOf({ spec, status }: Vmi): Growth {
  const domain = spec?.domain;
  const now = status?.currentCPUTopology;
  const vcpus = { before: vcpusOf(now ?? {}), after: vcpusOf(now ? (domain?.cpu ?? {}) : {}) };
  const guestNow = parseQuantity(status?.memory?.guestCurrent);
  const guestWanted = parseQuantity(domain?.memory?.guest) ?? guestNow;
  return {
    cpuFactor: vcpus.after / vcpus.before,
    guestBytes: guestNow === undefined || guestWanted === undefined ? 0 : guestWanted - guestNow,
    overheadBytes: (vcpus.after - vcpus.before) * OVERHEAD_PER_VCPU_BYTES,
  };
}

function vcpusOf({ sockets, cores, threads }: Topology): number {
  return [sockets, cores, threads].reduce<number>((product, factor) => product * (factor || 1), 1);
}

type Amounts = Readonly<Record<string, Quantity>>;

/** The container with as much more as the guest needs; what the VMI asks for in so many words stays. */
export function grown(container: Container, { spec }: Vmi, growth: Growth): Container {
  const { resources } = container;
  const asked = spec?.domain?.resources;
  const grownIn = (amounts: Amounts | undefined, own: Amounts = {}): Record<string, Quantity> | undefined =>
    amounts && { ...amounts, ...grownCpu(amounts, own, growth), ...grownMemory(amounts, own, growth) };
  if (!resources || isNone(growth)) return container;
  return {
    ...container,
    resources: {
      ...resources,
      requests: grownIn(resources.requests, asked?.requests),
      limits: grownIn(resources.limits, asked?.limits),
    },
  };
}

function isNone({ cpuFactor, guestBytes, overheadBytes }: Growth): boolean {
  return cpuFactor === 1 && guestBytes === 0 && overheadBytes === 0;
}

function grownCpu(amounts: Amounts, own: Amounts, { cpuFactor }: Growth): Amounts {
  const cores = parseQuantity(amounts.cpu);
  return cores === undefined || own.cpu !== undefined ? {} : { cpu: formatCores(cores * cpuFactor) };
}

function grownMemory(amounts: Amounts, own: Amounts, { guestBytes, overheadBytes }: Growth): Amounts {
  const bytes = parseQuantity(amounts.memory);
  const more = overheadBytes + (own.memory === undefined ? guestBytes : 0);
  return bytes === undefined ? {} : { memory: formatBytes(bytes + more) };
}
