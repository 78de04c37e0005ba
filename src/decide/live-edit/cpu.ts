import { CONDITION } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isConditionTrue, isMigrating } from '../../kubevirt/predicates.ts';
import { conditionField, vmField, vmiField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import {
  hotPlug,
  type LiveEditResult,
  noChange,
  type RunningEditInput,
  refused,
  restartRequired,
} from './result.ts';

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:622-673';

function cpuOf(vmi: Vmi) {
  return vmi.spec?.domain?.cpu;
}

/** Go's zero stands for "not set". */
function wantedSockets({ edit }: RunningEditInput): number {
  return typeof edit.value === 'number' ? edit.value : 0;
}

function runningSockets({ vmi }: RunningEditInput): number {
  return cpuOf(vmi)?.sockets ?? 0;
}

function socketFields({ vmi }: RunningEditInput): Evidence[] {
  return [vmiField(vmi, 'spec.domain.cpu.sockets', cpuOf(vmi)?.sockets)];
}

function failure(message: string): LiveEditResult {
  return refused(`Error encountered while handling CPU change request: ${message}`);
}

/** An edit of `cpu.sockets` under LiveUpdate (vm-lifecycle §6 of the spec). Whether the VMI can migrate does not matter. */
export const cpuRules: Table<RunningEditInput, LiveEditResult> = [
  {
    name: 'VmiWithoutCpu',
    asks: 'the VMI has no CPU section to change',
    source: SOURCE,
    when: ({ vmi }) => cpuOf(vmi) === undefined,
    reads: ({ vmi }) => [vmiField(vmi, 'spec.domain.cpu', undefined)],
    then: () => noChange('the running VMI has no CPU topology that could be changed'),
  },
  {
    name: 'SocketsInPlace',
    asks: 'the running VMI has that many sockets',
    source: SOURCE,
    when: (input) => wantedSockets(input) === runningSockets(input),
    reads: socketFields,
    then: () => noChange('the running VMI has that many sockets already'),
  },
  {
    name: 'CpuHotplugInProgress',
    asks: 'another CPU hot-plug is under way',
    source: SOURCE,
    when: ({ vmi }) => isConditionTrue(vmi.status?.conditions, CONDITION.hotVcpuChange),
    reads: ({ vmi }) => [conditionField(vmi, CONDITION.hotVcpuChange, 'VirtualMachineInstance')],
    then: () => failure('another CPU hotplug is in progress'),
  },
  {
    name: 'CpuHotplugDuringMigration',
    asks: 'the VMI is being migrated',
    source: SOURCE,
    when: ({ vmi, now }) => isMigrating(vmi, now),
    reads: ({ vmi }) => [vmiField(vmi, 'status.migrationState', vmi.status?.migrationState)],
    then: () => failure('CPU hotplug is not allowed while VMI is migrating'),
  },
  {
    name: 'SocketsOverMaximum',
    asks: 'more sockets are wanted than the VMI was started for',
    source: SOURCE,
    when: (input) => wantedSockets(input) > (cpuOf(input.vmi)?.maxSockets ?? 0),
    reads: (input) => [
      ...socketFields(input),
      vmiField(input.vmi, 'spec.domain.cpu.maxSockets', cpuOf(input.vmi)?.maxSockets),
    ],
    then: () =>
      restartRequired("CPU sockets updated in template spec to a value higher than what's available"),
  },
  {
    name: 'SocketsReduced',
    asks: 'fewer sockets are wanted than the VMI has',
    source: SOURCE,
    when: (input) => wantedSockets(input) < runningSockets(input),
    reads: socketFields,
    then: () => restartRequired('Reduction of CPU socket count requires a restart'),
  },
  {
    name: 'ArmWithoutCpuHotplug',
    asks: 'the VM is of architecture arm64',
    source: SOURCE,
    when: ({ vm }) => vm.spec?.template?.spec?.architecture === 'arm64',
    reads: ({ vm }) => [
      vmField(vm, 'spec.template.spec.architecture', vm.spec?.template?.spec?.architecture),
    ],
    then: () => restartRequired("ARM doesn't support CPU hotplug"),
  },
  {
    name: 'CpuHotplug',
    asks: 'the VMI can take the sockets while it runs',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:502-504,1146-1156',
    when: () => true,
    reads: (input) => [
      ...socketFields(input),
      vmiField(input.vmi, 'spec.domain.cpu.maxSockets', cpuOf(input.vmi)?.maxSockets),
    ],
    then: (input) => hotPlug(`hotplugging cpu to ${wantedSockets(input)} sockets`, CONDITION.hotVcpuChange),
  },
];
