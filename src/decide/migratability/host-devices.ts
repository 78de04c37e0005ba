import { FEATURE_GATE } from '../../kubevirt/names.ts';
import { vmiField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import { isGateOn } from '../settings.ts';
import type { MigratabilityInput } from './input.ts';

/** Why the devices of the host that the VMI uses cannot move (migratability §4 of the spec; VH:1292-1323). */
export function hostDeviceProblem(input: MigratabilityInput): string | undefined {
  const { gpus = [], hostDevices = [] } = input.vmi.spec?.domain?.devices ?? {};
  if (hostDevices.length > 0) return 'VMI specifies non-migratable generic PCI host device';
  if (gpus.length > 1) return 'VMI specifies too many GPUs';
  const [gpu] = gpus;
  return gpu ? gpuProblem(input, gpu.deviceName) : undefined;
}

function gpuProblem(
  { configuration }: MigratabilityInput,
  deviceName: string | undefined,
): string | undefined {
  const { featureGates = [], disabledFeatureGates = [] } = configuration?.developerConfiguration ?? {};
  if (!isGateOn({ featureGates, disabledFeatureGates }, FEATURE_GATE.vgpuLiveMigration)) {
    return 'VMI specifies a GPU but feature gate VGPULiveMigration is not enabled';
  }
  const mediated = configuration?.permittedHostDevices?.mediatedDevices ?? [];
  const isMediated = mediated.some(({ resourceName }) => resourceName === deviceName);
  return isMediated ? undefined : 'VMI specifies non-migratable GPU device';
}

/** What `hostDeviceProblem` looked at. */
export function hostDeviceFields({ vmi }: MigratabilityInput): Evidence[] {
  const { gpus, hostDevices } = vmi.spec?.domain?.devices ?? {};
  return [
    vmiField(vmi, 'spec.domain.devices.hostDevices', hostDevices),
    vmiField(vmi, 'spec.domain.devices.gpus', gpus),
  ];
}
