import type { Vmi } from '../../kubevirt/objects.ts';
import { vmiField } from '../evidence.ts';
import type { Rule } from '../rules.ts';
import { hostDeviceFields, hostDeviceProblem } from './host-devices.ts';
import type { MigratabilityInput } from './input.ts';
import { networkFields, networkProblem } from './network.ts';
import { judgeVolumes } from './volumes.ts';

/** One obstacle to a migration. It holds when the VMI has it; its name is KubeVirt's reason, its result the message. */
export type Check = Rule<MigratabilityInput, string>;

const HANDLER = 'kubevirt v1.9.0 pkg/virt-handler/vm.go';

function launchSecurityOf(vmi: Vmi) {
  return vmi.spec?.domain?.launchSecurity;
}

function isSev(vmi: Vmi): boolean {
  const security = launchSecurityOf(vmi);
  return security?.sev !== undefined || security?.snp !== undefined;
}

function securityCheck(name: string, message: string, when: (vmi: Vmi) => boolean): Check {
  return {
    name,
    asks: message,
    source: `${HANDLER}:1247-1290`,
    when: ({ vmi }) => when(vmi),
    reads: ({ vmi }) => [vmiField(vmi, 'spec.domain.launchSecurity', launchSecurityOf(vmi))],
    then: () => message,
  };
}

export const networkCheck: Check = {
  name: 'InterfaceNotLiveMigratable',
  asks: 'the connection to the pod network cannot move',
  source: 'kubevirt v1.9.0 pkg/network/vmispec/interface.go:58-88',
  when: (input) => networkProblem(input) !== undefined,
  reads: networkFields,
  then: (input) => networkProblem(input) ?? '',
};

/** The reason lacks its "Not" upstream too. */
export const hostModelCheck: Check = {
  name: 'CPUModeLiveMigratable',
  asks: 'the CPU is the host model, and the node reports none',
  source: `${HANDLER}:1247-1290`,
  when: ({ vmi, hostCpuModel }) => vmi.spec?.domain?.cpu?.model === 'host-model' && !hostCpuModel,
  reads: ({ vmi }) => [vmiField(vmi, 'spec.domain.cpu.model', vmi.spec?.domain?.cpu?.model)],
  then: ({ vmi }) => `the node "${vmi.status?.nodeName ?? ''}" does not allow migration with host-model`,
};

export const hostDeviceCheck: Check = {
  name: 'HostDeviceNotLiveMigratable',
  asks: 'the VMI uses a device of the host that cannot move',
  source: `${HANDLER}:1292-1323`,
  when: (input) => hostDeviceProblem(input) !== undefined,
  reads: hostDeviceFields,
  then: (input) => hostDeviceProblem(input) ?? '',
};

export const sevCheck = securityCheck('SEVNotLiveMigratable', 'VMI uses SEV', isSev);

export const tdxCheck = securityCheck(
  'TDXNotLiveMigratable',
  'VMI uses TDX',
  (vmi) => !isSev(vmi) && launchSecurityOf(vmi)?.tdx !== undefined,
);

export const secureExecutionCheck = securityCheck(
  'SecureExecutionNotLiveMigratable',
  'VMI uses Secure Execution',
  (vmi) => launchSecurityOf(vmi) !== undefined && vmi.spec?.architecture === 's390x',
);

export const persistentReservationCheck: Check = {
  name: 'PersistentReservationNotLiveMigratable',
  asks: 'a LUN is reserved for this VMI by SCSI',
  source: `${HANDLER}:1367-1402`,
  when: ({ vmi }) => vmi.spec?.domain?.devices?.disks?.some(({ lun }) => lun?.reservation === true) ?? false,
  reads: ({ vmi }) => [
    vmiField(vmi, 'spec.domain.devices.disks[lun.reservation=true]', disksWithReservation(vmi)),
  ],
  then: () => 'VMI uses SCSI persistent reservation',
};

function disksWithReservation(vmi: Vmi): string[] | undefined {
  return vmi.spec?.domain?.devices?.disks
    ?.filter(({ lun }) => lun?.reservation === true)
    .map(({ name }) => name);
}

/** A guest that requires `invtsc` runs only where the frequency is known, so it is no obstacle. */
export const tscFrequencyCheck: Check = {
  name: 'NoTSCFrequencyNotLiveMigratable',
  asks: 'Hyper-V re-enlightenment is on, and the TSC frequency is not known',
  source: `${HANDLER}:1247-1290`,
  when: ({ vmi }) =>
    (vmi.status?.topologyHints?.tscFrequency ?? 0) <= 0 &&
    vmi.spec?.domain?.features?.hyperv?.reenlightenment?.enabled === true &&
    !requiresInvariantTsc(vmi),
  reads: ({ vmi }) => [
    vmiField(
      vmi,
      'spec.domain.features.hyperv.reenlightenment.enabled',
      vmi.spec?.domain?.features?.hyperv?.reenlightenment?.enabled,
    ),
    vmiField(vmi, 'status.topologyHints.tscFrequency', vmi.status?.topologyHints?.tscFrequency),
  ],
  then: () =>
    'HyperV Reenlightenment VMIs cannot migrate when TSC Frequency is not exposed on the cluster: guest timers might be inconsistent',
};

function requiresInvariantTsc(vmi: Vmi): boolean {
  const features = vmi.spec?.domain?.cpu?.features ?? [];
  return features.some(
    ({ name, policy }) => name === 'invtsc' && (policy === 'require' || policy === 'force'),
  );
}

/**
 * An empty `hypervPassthrough` crashes the real virt-handler (upstream fault U5), which then sets no condition at all.
 * Here it is what it says: not enabled.
 */
export const hypervPassthroughCheck: Check = {
  name: 'HypervPassthroughNotLiveMigratable',
  asks: 'the VMI passes Hyper-V features of the host through',
  source: `${HANDLER}:1278`,
  when: ({ vmi }) => vmi.spec?.domain?.features?.hypervPassthrough?.enabled === true,
  reads: ({ vmi }) => [
    vmiField(vmi, 'spec.domain.features.hypervPassthrough', vmi.spec?.domain?.features?.hypervPassthrough),
  ],
  then: () => 'VMI uses hyperv passthrough',
};

export const disksCheck: Check = {
  name: 'DisksNotLiveMigratable',
  asks: 'a disk cannot be reached from another node',
  source: `${HANDLER}:1843-1925`,
  when: ({ vmi }) => judgeVolumes(vmi).problem !== undefined,
  reads: ({ vmi }) => judgeVolumes(vmi).evidence,
  then: ({ vmi }) => judgeVolumes(vmi).problem ?? '',
};
