import { CONDITION } from '../../kubevirt/names.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { findCondition, isMigratable, isMigrating } from '../../kubevirt/predicates.ts';
import { parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';
import { conditionField, vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { editedSpec } from './edit.ts';
import {
  hotPlug,
  type LiveEditResult,
  noChange,
  type RunningEditInput,
  refused,
  restartRequired,
} from './result.ts';

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (memory change request)';
const CHANGED = 'memory updated in template spec';

const MEBI = 2 ** 20;
const GIBI = 2 ** 30;

/** Whole bytes, as Go rounds a quantity: up. */
function bytesOf(quantity: Quantity | undefined): number | undefined {
  const bytes = parseQuantity(quantity);
  return bytes === undefined ? undefined : Math.ceil(bytes);
}

function templateAfter({ vm, edit }: RunningEditInput): VmiSpec {
  return editedSpec(vm.spec?.template?.spec, edit);
}

function wantedBytes(input: RunningEditInput): number | undefined {
  return bytesOf(templateAfter(input).domain?.memory?.guest);
}

function memoryOf({ vmi }: RunningEditInput) {
  return vmi.spec?.domain?.memory;
}

function maxBytes(input: RunningEditInput): number | undefined {
  return bytesOf(memoryOf(input)?.maxGuest);
}

function guestField(input: RunningEditInput): Evidence {
  return vmiField(input.vmi, 'spec.domain.memory.guest', memoryOf(input)?.guest);
}

function maxGuestField(input: RunningEditInput): Evidence {
  return vmiField(input.vmi, 'spec.domain.memory.maxGuest', memoryOf(input)?.maxGuest);
}

function hotMemoryChange({ vmi }: RunningEditInput): string | undefined {
  return findCondition(vmi.status?.conditions, CONDITION.hotMemoryChange)?.status;
}

function hotMemoryField({ vmi }: RunningEditInput): Evidence {
  return conditionField(vmi, CONDITION.hotMemoryChange, 'VirtualMachineInstance');
}

function failure(message: string): LiveEditResult {
  return refused(`error encountered while handling memory hotplug requests: ${message}`);
}

/**
 * Why a VM is not made for another amount of memory while it runs, by the first obstacle; undefined: it is. A spec that says nothing
 * of its architecture is none of amd64 (pkg/liveupdate/memory).
 */
export function memoryHotplugObstacle(spec: VmiSpec, maxGuest: Quantity | undefined): string | undefined {
  const { cpu, launchSecurity, memory } = spec.domain ?? {};
  if (cpu?.realtime) return 'Memory hotplug is not compatible with realtime VMs';
  if (cpu?.numa?.guestMappingPassthrough)
    return 'Memory hotplug is not compatible with guest mapping passthrough';
  if (launchSecurity) return 'Memory hotplug is not compatible with encrypted VMs';
  const alignment = memory?.hugepages?.pageSize === '1Gi' ? GIBI : 2 * MEBI;
  const amount = amountObstacle(bytesOf(memory?.guest) ?? 0, bytesOf(maxGuest) ?? 0, alignment);
  if (amount !== undefined) return amount;
  return spec.architecture === 'amd64' ? undefined : 'Memory hotplug is only available for x86_64 VMs';
}

/** Admission fills in the architecture, so a dump that lacks it everywhere is taken for amd64. */
function obstacleOf(input: RunningEditInput): string | undefined {
  const template = templateAfter(input);
  const architecture = template.architecture ?? input.vmi.spec?.architecture ?? 'amd64';
  return memoryHotplugObstacle({ ...template, architecture }, memoryOf(input)?.maxGuest);
}

function amountObstacle(wanted: number, most: number, alignment: number): string | undefined {
  if (wanted > most) return 'Guest memory is greater than the configured maxGuest memory';
  const aligned = alignment === GIBI ? '1Gi' : '2Mi';
  if (wanted % alignment !== 0) return `Guest memory must be ${aligned} aligned`;
  return most % alignment === 0 ? undefined : `MaxGuest must be ${aligned} aligned`;
}

/**
 * An edit of `memory.guest` under LiveUpdate (vm-lifecycle §6 of the spec). An amount over the maximum is an obstacle like
 * the others; the message that KubeVirt has for it alone comes after them and is never reached.
 */
export const memoryRules: Table<RunningEditInput, LiveEditResult> = [
  {
    name: 'MemoryNotReported',
    asks: 'the VMI does not say how much memory it has',
    source: SOURCE,
    when: (input) =>
      memoryOf(input)?.guest === undefined || input.vmi.status?.memory?.guestCurrent === undefined,
    reads: (input) => [
      guestField(input),
      vmiField(input.vmi, 'status.memory.guestCurrent', input.vmi.status?.memory?.guestCurrent),
    ],
    then: () => noChange('without amounts of memory on both sides KubeVirt leaves the VMI alone'),
  },
  {
    name: 'MemoryHotplugFailed',
    asks: 'an earlier memory hot-plug has failed',
    source: SOURCE,
    when: (input) => hotMemoryChange(input) === 'False',
    reads: (input) => [hotMemoryField(input)],
    then: () =>
      restartRequired(`${CHANGED}. Memory-hotplug failed and is not available for this VM configuration`),
  },
  {
    name: 'MemoryInPlace',
    asks: 'the running VMI has that much memory',
    source: SOURCE,
    when: (input) => wantedBytes(input) === bytesOf(memoryOf(input)?.guest),
    reads: (input) => [guestField(input)],
    then: () => noChange('the running VMI has that much memory already'),
  },
  {
    name: 'MemoryNeedsMigratable',
    asks: 'the VMI cannot live-migrate',
    source: SOURCE,
    when: ({ vmi }) => !isMigratable(vmi),
    reads: ({ vmi }) => [conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance')],
    then: () => restartRequired(`${CHANGED}. Memory-hotplug is only available for migratable VMs`),
  },
  {
    name: 'MemoryWithoutMaximum',
    asks: 'the VMI was started without room for more memory',
    source: SOURCE,
    when: (input) => maxBytes(input) === undefined,
    reads: (input) => [maxGuestField(input)],
    then: () => restartRequired(`${CHANGED}. Memory-hotplug is not available for this VM configuration`),
  },
  {
    name: 'MemoryHotplugInProgress',
    asks: 'another memory hot-plug is under way',
    source: SOURCE,
    when: (input) => hotMemoryChange(input) === 'True',
    reads: (input) => [hotMemoryField(input)],
    then: () => failure('another memory hotplug is in progress'),
  },
  {
    name: 'MemoryHotplugDuringMigration',
    asks: 'the VMI is being migrated',
    source: SOURCE,
    when: ({ vmi, now }) => isMigrating(vmi, now),
    reads: ({ vmi }) => [vmiField(vmi, 'status.migrationState', vmi.status?.migrationState)],
    then: () => failure('memory hotplug is not allowed while VMI is migrating'),
  },
  {
    name: 'MemoryHotplugUnsupported',
    asks: 'the VM, or the amount, is not made for memory hot-plug',
    source: 'kubevirt v1.9.0 pkg/liveupdate/memory/memory.go',
    when: (input) => obstacleOf(input) !== undefined,
    reads: (input) => [guestField(input), maxGuestField(input)],
    then: (input) => restartRequired(`memory hotplug not supported, ${obstacleOf(input) ?? ''}`),
  },
  {
    name: 'MemoryBelowBoot',
    asks: 'less memory is wanted than the VM started with',
    source: SOURCE,
    when: (input) => (wantedBytes(input) ?? 0) < (bytesOf(input.vmi.status?.memory?.guestAtBoot) ?? 0),
    reads: ({ vmi }) => [vmiField(vmi, 'status.memory.guestAtBoot', vmi.status?.memory?.guestAtBoot)],
    then: () => restartRequired(`${CHANGED} to a value lower than what the VM started with`),
  },
  {
    name: 'MemoryHotplug',
    asks: 'the VMI can take the memory while it runs',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:1158-1163,1185',
    when: () => true,
    reads: (input) => [guestField(input), maxGuestField(input)],
    then: ({ edit }) => hotPlug(`hotplugging memory to ${edit.value}`, CONDITION.hotMemoryChange),
  },
];
