/** What a launcher pod asks of its node. kubevirt v1.9.0 pkg/virt-controller/services/renderresources.go */

import { tally } from '../../kubevirt/group-by.ts';
import { DEVICE } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { formatBytes, parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';

const MEBI = 2 ** 20;

/** The processes around the guest, by what each holds in memory. */
const PROCESSES_BYTES = (25 + 100 + 25 + 40 + 30) * MEBI;
const PER_VCPU_BYTES = 8 * MEBI;
const IO_THREAD_BYTES = 8 * MEBI;
const VIDEO_BYTES = 32 * MEBI;
const ARM_FIRMWARE_BYTES = 128 * MEBI;
const PASSTHROUGH_BYTES = 1024 * MEBI;
const BYTES_PER_PAGE_TABLE_BYTE = 512;

const DEFAULT_CPU_ALLOCATION_RATIO = 10;
const EPHEMERAL_STORAGE = '50M';

type Amounts = Readonly<Record<string, Quantity>>;

/** Requests and limits of a container. */
export interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** How many virtual CPUs a topology has. Go's zero stands for "not set", and counts as one. */
export function vcpusOf(
  topology:
    | {
        readonly sockets?: number | undefined;
        readonly cores?: number | undefined;
        readonly threads?: number | undefined;
      }
    | undefined,
): number {
  return (topology?.sockets || 1) * (topology?.cores || 1) * (topology?.threads || 1);
}

/**
 * Bytes that a launcher needs beside the memory of its guest.
 *
 * Promise: whole bytes; the guest's memory counts only where it is asked for as a resource, as in KubeVirt.
 */
export function memoryOverheadBytes(vmi: Vmi): number {
  const domain = vmi.spec?.domain;
  const pageTables = Math.floor(
    (parseQuantity(domain?.resources?.requests?.memory) ?? 0) / BYTES_PER_PAGE_TABLE_BYTE,
  );
  const { gpus = [], hostDevices = [], autoattachGraphicsDevice } = domain?.devices ?? {};
  return (
    PROCESSES_BYTES +
    pageTables +
    vcpusOf(domain?.cpu) * PER_VCPU_BYTES +
    IO_THREAD_BYTES +
    (autoattachGraphicsDevice === false ? 0 : VIDEO_BYTES) +
    (vmi.spec?.architecture === 'arm64' ? ARM_FIRMWARE_BYTES : 0) +
    (gpus.length + hostDevices.length > 0 ? PASSTHROUGH_BYTES : 0)
  );
}

/** The resources of the container `compute`. `cpuAllocationRatio`: virtual CPUs for each CPU that is asked for. */
export function computeResources(vmi: Vmi, cpuAllocationRatio = DEFAULT_CPU_ALLOCATION_RATIO): Resources {
  const devices = deviceRequests(vmi);
  const isPinned = vmi.spec?.domain?.cpu?.dedicatedCpuPlacement === true;
  const asked = vmi.spec?.domain?.resources;
  const memory = memoryRequests(vmi);
  const cpu = isPinned ? String(vcpusOf(vmi.spec?.domain?.cpu)) : cpuRequest(vmi, cpuAllocationRatio);
  const requests = { cpu, ...asked?.requests, ...memory, 'ephemeral-storage': EPHEMERAL_STORAGE, ...devices };
  const hugePages = hugePagesOf(memory);
  if (isPinned) return { requests: { ...requests, cpu }, limits: { cpu, ...memory, ...devices } };
  return { requests, limits: { ...limitsOf(vmi), ...hugePages, ...devices } };
}

function limitsOf(vmi: Vmi): Amounts {
  const { memory, ...others } = vmi.spec?.domain?.resources?.limits ?? {};
  const bytes = parseQuantity(memory);
  return bytes === undefined
    ? others
    : { ...others, memory: formatBytes(Math.ceil(bytes) + memoryOverheadBytes(vmi)) };
}

function cpuRequest(vmi: Vmi, ratio: number): string {
  const share = vcpusOf(vmi.spec?.domain?.cpu) / ratio;
  return share < 1 ? `${share * 1000}m` : String(share);
}

/** The guest's memory and what is around it; in huge pages, the guest's part stands apart. */
function memoryRequests(vmi: Vmi): Amounts {
  const { memory, resources } = vmi.spec?.domain ?? {};
  const overhead = memoryOverheadBytes(vmi);
  const pageSize = memory?.hugepages?.pageSize;
  const asked = resources?.requests?.memory ?? resources?.limits?.memory ?? memory?.guest ?? pageSize;
  const bytes = Math.ceil(parseQuantity(asked) ?? 0);
  if (pageSize === undefined) return { memory: formatBytes(bytes + overhead) };
  const guest = Math.min(bytes, parseQuantity(memory?.guest) ?? bytes);
  return { memory: formatBytes(overhead + bytes - guest), [`hugepages-${pageSize}`]: formatBytes(guest) };
}

function hugePagesOf(memory: Amounts): Amounts {
  return Object.fromEntries(Object.entries(memory).filter(([name]) => name.startsWith('hugepages-')));
}

/** Devices by the resource names of their plug-ins, each as often as the guest has it. */
function deviceRequests(vmi: Vmi): Amounts {
  const { gpus = [], hostDevices = [], interfaces = [] } = vmi.spec?.domain?.devices ?? {};
  const networked = interfaces.some(({ sriov }) => sriov === undefined);
  const names = [
    DEVICE.kvm,
    ...(networked ? [DEVICE.tun, DEVICE.vhostNet] : []),
    ...[...gpus, ...hostDevices].flatMap(({ deviceName }) => deviceName ?? []),
  ];
  return Object.fromEntries([...tally(names)].map(([name, count]) => [name, String(count)]));
}
