/** Everything that keeps a VMI from being migrated. */
import { aVmi } from '../../kubevirt/builders.ts';
import type { ClusterConfiguration, VmiSpec } from '../../kubevirt/objects.ts';
import type { MigratabilityInput } from './input.ts';

export type Domain = NonNullable<VmiSpec['domain']>;

const TSC =
  'HyperV Reenlightenment VMIs cannot migrate when TSC Frequency is not exposed on the cluster: guest timers might be inconsistent';

const BOUND =
  'cannot migrate VMI which does not use masquerade or a migratable plugin to connect to the pod network';

export const reenlightened = { hyperv: { reenlightenment: { enabled: true } } };
export const gpu = { name: 'g', deviceName: 'vendor/vgpu' };

export const vgpuOn: ClusterConfiguration = {
  developerConfiguration: { featureGates: ['VGPULiveMigration'] },
};

export const mediated = (resourceName: string) => ({
  permittedHostDevices: { mediatedDevices: [{ resourceName }] },
});

export function guest(domain: Domain, spec: VmiSpec = {}) {
  return aVmi()
    .on('n1')
    .spec({ ...spec, domain })
    .build();
}

/** Every obstacle, alone: its reason, its message, and whether a volume migration minds it too. */
export const OBSTACLES: [string, string, string, boolean, MigratabilityInput][] = [
  [
    'a bridge',
    'InterfaceNotLiveMigratable',
    BOUND,
    true,
    {
      vmi: guest(
        { devices: { interfaces: [{ name: 'p', bridge: {} }] } },
        { networks: [{ name: 'p', pod: {} }] },
      ),
    },
  ],
  [
    'an unknown host model',
    'CPUModeLiveMigratable',
    'the node "n1" does not allow migration with host-model',
    true,
    { vmi: guest({ cpu: { model: 'host-model' } }) },
  ],
  [
    'an empty host model',
    'CPUModeLiveMigratable',
    'the node "n1" does not allow migration with host-model',
    true,
    { vmi: guest({ cpu: { model: 'host-model' } }), hostCpuModel: '' },
  ],
  [
    'a host device',
    'HostDeviceNotLiveMigratable',
    'VMI specifies non-migratable generic PCI host device',
    true,
    { vmi: guest({ devices: { hostDevices: [{ name: 'h' }], gpus: [gpu, gpu] } }) },
  ],
  [
    'two GPUs',
    'HostDeviceNotLiveMigratable',
    'VMI specifies too many GPUs',
    true,
    {
      vmi: guest({ devices: { gpus: [gpu, gpu] } }),
      configuration: { ...vgpuOn, ...mediated('vendor/vgpu') },
    },
  ],
  [
    'a GPU',
    'HostDeviceNotLiveMigratable',
    'VMI specifies a GPU but feature gate VGPULiveMigration is not enabled',
    true,
    { vmi: guest({ devices: { gpus: [gpu] } }), configuration: mediated('vendor/vgpu') },
  ],
  [
    'a GPU that is not mediated',
    'HostDeviceNotLiveMigratable',
    'VMI specifies non-migratable GPU device',
    true,
    { vmi: guest({ devices: { gpus: [gpu] } }), configuration: vgpuOn },
  ],
  [
    'a GPU of another resource',
    'HostDeviceNotLiveMigratable',
    'VMI specifies non-migratable GPU device',
    true,
    { vmi: guest({ devices: { gpus: [gpu] } }), configuration: { ...vgpuOn, ...mediated('vendor/other') } },
  ],
  ['SEV', 'SEVNotLiveMigratable', 'VMI uses SEV', true, { vmi: guest({ launchSecurity: { sev: {} } }) }],
  [
    'SNP',
    'SEVNotLiveMigratable',
    'VMI uses SEV',
    true,
    { vmi: guest({ launchSecurity: { snp: {}, tdx: {} } }) },
  ],
  ['TDX', 'TDXNotLiveMigratable', 'VMI uses TDX', true, { vmi: guest({ launchSecurity: { tdx: {} } }) }],
  [
    'Secure Execution',
    'SecureExecutionNotLiveMigratable',
    'VMI uses Secure Execution',
    false,
    { vmi: guest({ launchSecurity: {} }, { architecture: 's390x' }) },
  ],
  [
    'an unknown TSC frequency',
    'NoTSCFrequencyNotLiveMigratable',
    TSC,
    true,
    { vmi: guest({ features: reenlightened }) },
  ],
  [
    'Hyper-V passed through',
    'HypervPassthroughNotLiveMigratable',
    'VMI uses hyperv passthrough',
    true,
    { vmi: guest({ features: { hypervPassthrough: { enabled: true } } }) },
  ],
  [
    'a host disk',
    'DisksNotLiveMigratable',
    'cannot migrate VMI with non-shared HostDisk',
    false,
    { vmi: guest({}, { volumes: [{ name: 'd', hostDisk: {} }] }) },
  ],
];
